import Rendering

/// The published structures of the four providers, with what is special about their places.
enum PublishedTemplates {
  static let buttons =
    #""[{{ range $index, $button := .Actions }}{{if $index}},{{end}}{\"label\":\"{{$button.Label}}\",\"link\":\"{{$button.Link}}\"}{{ end }}]""#
  static let hubLink = #""{\"open\": \"{{.URLOpenEvent}}\", \"ack\": \"{{.URLDelivEvent}}\"}""#

  static let firebase = """
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
            "_hub_link": \(hubLink),
            "_buttons": \(buttons)
          }
        }
      }
    }
    """

  static let apns = """
    {
      "aps": {
        "category": "Altcraft",
        "mutable-content": 1,
        "sound": {{.Sound}},
        "badge": {{.Badge}},
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
      "_buttons": \(buttons)
    }
    """

  static let hms = """
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
          "_hub_link": \(hubLink),
          "_icon": "{{.Icon}}",
          "_click_action": "{{.ClickURL}}",
          "_color": "{{.ImageBackgroundColor}}",
          "_image": "{{.Image}}",
          "_buttons": \(buttons)
        },
        "android": {
          "urgency": "HIGH",
          "ttl": {{.TTL}}
        }
      }
    }
    """

  static let appMetrica = #"""
    {
      "push_batch_request": {
        "group_id": {{.GroupID}},
        "tag": "{{.Tag}}",
        "batch": [
          {
            "messages": {
              "android": {
                "silent": {{.Silent}},
                "content": {
                  "title": "{{.Title}}",
                  "text": "{{.Text}}",
                  "time_to_live": {{.TTL}},
                  "image": "{{.Icon}}",
                  "icon_background": "{{.IconBackground}}",
                  "banner": "{{.Banner}}",
                  "led_color": "{{.LEDColor}}",
                  "data": "{\"hub_link\":{\"ack\":\"{{.URLDelivEvent}}\",\"open\":\"{{.URLOpenEvent}}\"}}"
                },
                "open_action": {
                  "url": "{{.URL}}",
                  "deeplink": "{{.Deeplink}}"
                }
              }
            },
            "devices": [
              {
                "id_values": ["{{.SubscriptionID}}"],
                "id_type": "google_aid"
              }
            ]
          }
        ]
      }
    }
    """#
}
