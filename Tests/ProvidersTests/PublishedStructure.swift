/// The structures as they are published, letter for letter but for the indentation: what apps in the field read.
enum PublishedStructure {
  /// Android Firebase
  static let androidFirebase = #"""
    {
      "message": {
        "token": "{{.SubscriptionID}}",
        "android": {
          "priority": "{{.Priority}}",
          "ttl": {{.TTL}},
          "data": {
            "_ac_push": "Altcraft",
            "_uid": "{{.UID}}",
            "_launch_id": "{{.LaunchID}}",
            "_title": "{{.Title}}",
            "_provider": "{{.Provider}}",
            "_body": "{{.Body}}",
            "_icon": "{{.Icon}}",
            "_click_action": "{{.ClickURL}}",
            "_color": "{{.ImageBackgroundColor}}",
            "_image": "{{.Image}}",
            "_vibration": "{{.Vibration}}",
            "_soundless": "{{.Soundless}}",
            "_hub_link": "{\"open\": \"{{.URLOpenEvent}}\", \"ack\": \"{{.URLDelivEvent}}\"}",
            "_buttons": "[{{ range $index, $button := .Actions }}{{if $index}},{{end}}{\"label\":\"{{$button.Label}}\",\"link\":\"{{$button.Link}}\"}{{ end }}]"
          }
        }
      }
    }
    """#

  /// iOS APNS
  static let iosAPNs = #"""
    {
      "aps": {
        "category": "Altcraft",
        "mutable-content": 1,
        "sound": {{.Sound}},
        "alert": {
          "title": "{{.Title}}",
          "subtitle": "{{.SubTitle}}",
          "body": "{{.Body}}"
        }
      },
      "_ac_push": "Altcraft",
      "_click-url": "{{.ClickURL}}",
      "_soundless": "{{.Soundless}}",
      "_media": "{{.Media}}",
      "_uid": "{{.UID}}",
      "_provider": "{{.Provider}}",
      "_hub_link": {
        "open": "{{.URLOpenEvent}}",
        "ack": "{{.URLDelivEvent}}"
      },
      "_buttons": "[{{ range $index, $button := .Actions }}{{if $index}},{{end}}{\"label\":\"{{$button.Label}}\",\"link\":\"{{$button.Link}}\"}{{ end }}]"
    }
    """#

  /// HMS Android
  static let androidHMS = #"""
    {
      "message": {
        "token": ["{{.SubscriptionID}}"],
        "data": {
          "_ac_push": "Altcraft",
          "_title": "{{.Title}}",
          "_uid": "{{.UID}}",
          "_provider": "{{.Provider}}",
          "_body": "{{.Body}}",
          "_launch_id": "{{.LaunchID}}",
          "_vibration": "{{.Vibration}}",
          "_soundless": "{{.Soundless}}",
          "_hub_link": "{\"open\": \"{{.URLOpenEvent}}\", \"ack\": \"{{.URLDelivEvent}}\"}",
          "_icon": "{{.Icon}}",
          "_click_action": "{{.ClickURL}}",
          "_color": "{{.ImageBackgroundColor}}",
          "_image": "{{.Image}}",
          "_buttons": "[{{ range $index, $button := .Actions }}{{if $index}},{{end}}{\"label\":\"{{$button.Label}}\",\"link\":\"{{$button.Link}}\"}{{ end }}]"
        },
        "android": {
          "urgency": "HIGH",
          "ttl": {{.TTL}}
        }
      }
    }
    """#

  /// AppMetrica Android; its values are examples
  static let androidAppMetrica = #"""
    {
      "push_batch_request": {
        "group_id": 97737,
        "tag": "tag",
        "batch": [
          {
            "messages": {
              "android": {
                "silent": true,
                "content": {
                  "title": "Title",
                  "text": "Body",
                  "time_to_live": 0,
                  "image": "Icon",
                  "icon_background": "IconBackground",
                  "banner": "Banner",
                  "led_color": "LEDColor",
                  "data": "{\"hub_link\":{\"ack\":\"URLDelivEvent\",\"open\":\"URLOpenEvent\"}}"
                },
                "open_action": {
                  "url": "URL",
                  "deeplink": "Deeplink"
                }
              }
            },
            "devices": [
              {
                "id_values": ["SubscriptionID"],
                "id_type": "google_aid"
              }
            ]
          }
        ]
      }
    }
    """#

  /// iOS Firebase
  static let iosFirebase = #"""
    {
      "message": {
        "token": "{{.SubscriptionID}}",
        "apns": {
          "headers": {
            "apns-expiration": "{{.TTL}}"
          },
          "payload": {
            "aps": {
              "category": "Altcraft",
              "sound": {{.Sound}},
              "mutable-content": 1,
              "alert": {
                "title": "{{.Title}}",
                "subtitle": "{{.SubTitle}}",
                "body": "{{.Body}}"
              }
            },
            "_uid": "{{.UID}}",
            "_provider": "{{.Provider}}",
            "_launch_id": "{{.LaunchID}}",
            "_ac_push": "Altcraft",
            "_click-url": "{{.ClickURL}}",
            "_media": "{{.Media}}",
            "_soundless": "{{.Soundless}}",
            "_hub_link": "{\"open\": \"{{.URLOpenEvent}}\", \"ack\": \"{{.URLDelivEvent}}\"}",
            "_buttons": "[{{ range $index, $button := .Actions }}{{if $index}},{{end}}{\"label\":\"{{$button.Label}}\",\"link\":\"{{$button.Link}}\"}{{ end }}]"
          }
        }
      }
    }
    """#

  /// HMS iOS
  static let iosHMS = #"""
    {
      "message": {
        "token": ["{{.SubscriptionID}}"],
        "apns": {
          "headers": {
            "apns-expiration": "{{.TTL}}"
          },
          "payload": {
            "aps": {
              "category": "Altcraft",
              "mutable-content": 1,
              "sound": {{.Sound}},
              "alert": {
                "title": "{{.Title}}",
                "subtitle": "{{.SubTitle}}",
                "body": "{{.Body}}"
              }
            },
            "_ac_push": "Altcraft",
            "_provider": "{{.Provider}}",
            "_click-url": "{{.ClickURL}}",
            "_soundless": "{{.Soundless}}",
            "_uid": "{{.UID}}",
            "_media": "{{.Media}}",
            "_hub_link": {
              "open": "{{.URLOpenEvent}}",
              "ack": "{{.URLDelivEvent}}"
            },
            "_buttons": "[{{ range $index, $button := .Actions }}{{if $index}},{{end}}{\"label\":\"{{$button.Label}}\",\"link\":\"{{$button.Link}}\"}{{ end }}]"
          },
          "hms_options": {
            "target_user_type": 1
          }
        }
      }
    }
    """#

  /// RuStore Android
  static let androidRuStore = #"""
    {
      "message": {
        "token": "{{.SubscriptionID}}",
        "data": {
          "_ac_push": "Altcraft",
          "_title": "{{.Title}}",
          "_uid": "{{.UID}}",
          "_provider": "{{.Provider}}",
          "_body": "{{.Body}}",
          "_icon": "{{.Icon}}",
          "_image": "{{.Image}}",
          "_launch_id": "{{.LaunchID}}",
          "_vibration": "{{.Vibration}}",
          "_soundless": "{{.Soundless}}",
          "_color": "{{.ImageBackgroundColor}}",
          "_click_action": "{{.ClickURL}}",
          "_hub_link": "{\"open\": \"{{.URLOpenEvent}}\", \"ack\": \"{{.URLDelivEvent}}\"}",
          "_buttons": "[{{ range $index, $button := .Actions }}{{if $index}},{{end}}{\"label\":\"{{$button.Label}}\",\"link\":\"{{$button.Link}}\"}{{ end }}]"
        },
        "android": {
          "priority": "HIGH",
          "ttl": {{.TTL}}
        }
      }
    }
    """#

  /// AppMetrica iOS; its values are examples
  static let iosAppMetrica = #"""
    {
      "push_batch_request": {
        "group_id": 97737,
        "tag": "tag",
        "batch": [
          {
            "messages": {
              "iOS": {
                "silent": true,
                "content": {
                  "title": "Title",
                  "text": "Body",
                  "badge": 0,
                  "expiration": 0,
                  "data": "{\"hub_link\":{\"ack\":\"URLDelivEvent\",\"open\":\"URLOpenEvent\"},\"icon\":\"Icon\",\"media\":\"Media\"}"
                },
                "open_action": {
                  "url": "URL",
                  "deeplink": "Deeplink"
                }
              }
            },
            "devices": [
              {
                "id_values": ["SubscriptionID"],
                "id_type": "ios_push_token"
              }
            ]
          }
        ]
      }
    }
    """#
}
