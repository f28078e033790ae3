import Campaign

/// Where each field of a content comes out, by payload profile and provider: what CONTENT.md prints, and what is tried
/// cell by cell.
struct FieldTable {
  /// One field with a value to try.
  struct Row {
    let field: String
    /// Members of the content, as JSON without the outer braces.
    let sample: String
    /// By provider. `a.b` is a place in the body, `a{}.b` one within JSON text, `header: x` a header line.
    let cells: [(String, Cell)]
  }

  struct Cell {
    let place: String
    /// JSON text of what is there.
    let value: String
  }

  let profile: PayloadProfile
  let providers: [String]
  let rows: [Row]

  static let all = [altcraft, firebase, mindbox, braze]

  private static let maps = [
    "android-firebase": "message.android.data.", "android-hms": "message.data{}.", "android-rustore": "message.data.",
  ]
  private static let roots = [
    "ios-apns": "", "ios-firebase": "message.apns.payload.", "ios-hms": "message.apns.payload.",
  ]
  private static let entries = [
    "android-appmetrica": "push_batch_request.batch.0.messages.android.",
    "ios-appmetrica": "push_batch_request.batch.0.messages.iOS.",
  ]

  private static func cells(
    _ prefixes: [String: String], _ name: String, _ value: String, only: [String]? = nil
  ) -> [(String, Cell)] {
    prefixes.filter { only?.contains($0.key) ?? true }.map { ($0.key, Cell(place: $0.value + name, value: value)) }
  }

  /// In the data map of Android's apps.
  private static func map(_ name: String, _ value: String) -> [(String, Cell)] { cells(maps, name, value) }
  /// In the payload of Apple's devices.
  private static func root(_ name: String, _ value: String) -> [(String, Cell)] { cells(roots, name, value) }
  /// In AppMetrica's entry of one platform.
  private static func entry(_ provider: String, _ name: String, _ value: String) -> [(String, Cell)] {
    cells(entries, name, value, only: [provider])
  }

  private static func at(_ provider: String, _ place: String, _ value: String) -> [(String, Cell)] {
    [(provider, Cell(place: place, value: value))]
  }

  private static func header(_ line: String) -> [(String, Cell)] {
    [("ios-apns", Cell(place: "header: \(line)", value: ""))]
  }

  private static let appMetrica = (android: "android-appmetrica", apple: "ios-appmetrica")
  private static let headers = "message.apns.headers."

  static let altcraft = FieldTable(
    profile: .altcraft,
    providers: [
      "android-firebase", "android-hms", "android-rustore", "ios-apns", "ios-firebase", "ios-hms", "android-appmetrica",
      "ios-appmetrica",
    ],
    rows: [
      Row(
        field: "title", sample: #""title":"X""#,
        cells: map("_title", #""X""#) + root("aps.alert.title", #""X""#)
          + entry(appMetrica.android, "content.title", #""X""#) + entry(appMetrica.apple, "content.title", #""X""#)),
      Row(field: "subtitle", sample: #""subtitle":"X""#, cells: root("aps.alert.subtitle", #""X""#)),
      Row(
        field: "body", sample: #""body":"X""#,
        cells: map("_body", #""X""#) + root("aps.alert.body", #""X""#)
          + entry(appMetrica.android, "content.text", #""X""#) + entry(appMetrica.apple, "content.text", #""X""#)),
      Row(
        field: "priority", sample: #""priority":"normal""#,
        cells: at("android-firebase", "message.android.priority", #""NORMAL""#) + header("apns-priority: 5")),
      Row(
        field: "ttl", sample: #""ttl":60"#,
        cells: at("android-firebase", "message.android.ttl", #""60s""#)
          + at("android-hms", "message.android.ttl", #""60s""#)
          + at("android-rustore", "message.android.ttl", #""60s""#) + header("apns-expiration: 1760000060")
          + at("ios-firebase", headers + "apns-expiration", #""1760000060""#)
          + at("ios-hms", headers + "apns-expiration", #""1760000060""#)
          + entry(appMetrica.android, "content.time_to_live", "60")
          + entry(appMetrica.apple, "content.expiration", "60")),
      Row(
        field: "icon", sample: #""icon":"https://x""#,
        cells: map("_icon", #""https://x""#) + entry(appMetrica.android, "content.image", #""https://x""#)
          + entry(appMetrica.apple, "content.data{}.icon", #""https://x""#)),
      Row(
        field: "image", sample: #""image":"https://x""#,
        cells: map("_image", #""https://x""#) + root("_media", #""https://x""#)
          + entry(appMetrica.android, "content.banner", #""https://x""#)
          + entry(appMetrica.apple, "content.data{}.media", #""https://x""#)),
      Row(
        field: "media", sample: #""media":"https://x""#,
        cells: root("_media", #""https://x""#) + entry(appMetrica.apple, "content.data{}.media", #""https://x""#)),
      Row(
        field: "banner", sample: #""banner":"https://x""#,
        cells: entry(appMetrica.android, "content.banner", #""https://x""#)),
      Row(
        field: "click_url", sample: #""click_url":"https://x""#,
        cells: map("_click_action", #""https://x""#) + root("_click-url", #""https://x""#)
          + entry(appMetrica.android, "open_action.url", #""https://x""#)
          + entry(appMetrica.apple, "open_action.url", #""https://x""#)),
      Row(
        field: "deep_link", sample: #""deep_link":"app://x""#,
        cells: map("_click_action", #""app://x""#) + root("_click-url", #""app://x""#)
          + entry(appMetrica.android, "open_action.deeplink", #""app://x""#)
          + entry(appMetrica.apple, "open_action.deeplink", #""app://x""#)),
      Row(
        field: "image_background_color", sample: ##""image_background_color":"#112233""##,
        cells: map("_color", ##""#112233""##)),
      Row(
        field: "icon_background", sample: ##""icon_background":"#FF112233""##,
        cells: entry(appMetrica.android, "content.icon_background", ##""#FF112233""##)),
      Row(
        field: "led_color", sample: ##""led_color":"#112233""##,
        cells: entry(appMetrica.android, "content.led_color", ##""#112233""##)),
      Row(field: "vibration", sample: #""vibration":true"#, cells: map("_vibration", #""true""#)),
      Row(
        field: "soundless", sample: #""soundless":true"#,
        cells: map("_soundless", #""true""#) + root("_soundless", #""true""#)),
      Row(field: "sound", sample: #""sound":"x""#, cells: root("aps.sound", #""x""#)),
      Row(
        field: "silent", sample: #""silent":true"#,
        cells: root("aps.content-available", "1") + entry(appMetrica.android, "silent", "true")
          + entry(appMetrica.apple, "silent", "true")),
      Row(
        field: "badge", sample: #""badge":0"#,
        cells: root("aps.badge", "0") + entry(appMetrica.apple, "content.badge", "0")),
      Row(
        field: "buttons", sample: #""buttons":[{"label":"X","link":"l"}]"#,
        cells: map("_buttons{}", #"[{"label":"X","link":"l"}]"#) + root("_buttons{}", #"[{"label":"X","link":"l"}]"#)),
      Row(
        field: "data", sample: #""data":{"k":5}"#,
        cells: map("k", #""5""#) + root("k", "5") + entry(appMetrica.android, "content.data{}.k", #""5""#)
          + entry(appMetrica.apple, "content.data{}.k", #""5""#)),
      Row(
        field: "android.data", sample: #""android":{"data":{"k":5}}"#,
        cells: map("k", #""5""#) + entry(appMetrica.android, "content.data{}.k", #""5""#)),
      Row(
        field: "ios.data", sample: #""ios":{"data":{"k":5}}"#,
        cells: root("k", "5") + entry(appMetrica.apple, "content.data{}.k", #""5""#)),
      Row(
        field: "collapse_id", sample: #""collapse_id":"x""#,
        cells: at("android-firebase", "message.android.collapse_key", #""x""#) + header("apns-collapse-id: x")
          + at("ios-firebase", headers + "apns-collapse-id", #""x""#)
          + at("ios-hms", headers + "apns-collapse-id", #""x""#)),
      Row(field: "thread_id", sample: #""thread_id":"x""#, cells: root("aps.thread-id", #""x""#)),
      Row(
        field: "interruption_level", sample: #""interruption_level":"active""#,
        cells: root("aps.interruption-level", #""active""#)),
      Row(field: "relevance_score", sample: #""relevance_score":0.50"#, cells: root("aps.relevance-score", "0.50")),
      Row(
        field: "loc", sample: #""loc":{"loc_key":"K","loc_args":["a"]}"#,
        cells: root("aps.alert.loc-args", #"["a"]"#)),
      Row(
        field: "apple_push", sample: #""apple_push":{"alert":"X"}"#,
        cells: root("aps.alert.body", #""X""#) + entry(appMetrica.apple, "content.text", #""X""#)),
    ])

  private static let aps = "message.apns.payload.aps."

  static let firebase = FieldTable(
    profile: .fcm, providers: ["android-firebase", "ios-firebase", "web-firebase"],
    rows: [
      Row(field: "title", sample: #""title":"X""#, cells: each("message.notification.title", #""X""#)),
      Row(field: "subtitle", sample: #""subtitle":"X""#, cells: at("ios-firebase", aps + "alert.subtitle", #""X""#)),
      Row(field: "body", sample: #""body":"X""#, cells: each("message.notification.body", #""X""#)),
      Row(
        field: "priority", sample: #""priority":"normal""#,
        cells: at("android-firebase", "message.android.priority", #""NORMAL""#)
          + at("ios-firebase", headers + "apns-priority", #""5""#)
          + at("web-firebase", "message.webpush.headers.Urgency", #""normal""#)),
      Row(
        field: "ttl", sample: #""ttl":60"#,
        cells: at("android-firebase", "message.android.ttl", #""60s""#)
          + at("ios-firebase", headers + "apns-expiration", #""1760000060""#)
          + at("web-firebase", "message.webpush.headers.TTL", #""60""#)),
      Row(
        field: "icon", sample: #""icon":"https://x""#,
        cells: at("web-firebase", "message.webpush.notification.icon", #""https://x""#)),
      Row(
        field: "image", sample: #""image":"https://x/p.png""#,
        cells: at("android-firebase", "message.notification.image", #""https://x/p.png""#)
          + at("ios-firebase", "message.apns.fcm_options.image", #""https://x/p.png""#)
          + at("web-firebase", "message.notification.image", #""https://x/p.png""#)),
      Row(
        field: "click_url", sample: #""click_url":"https://x""#,
        cells: at("web-firebase", "message.webpush.fcm_options.link", #""https://x""#)),
      Row(
        field: "image_background_color", sample: ##""image_background_color":"#112233""##,
        cells: at("android-firebase", "message.android.notification.color", ##""#112233""##)),
      Row(
        field: "sound", sample: #""sound":"x""#,
        cells: at("android-firebase", "message.android.notification.sound", #""x""#)
          + at("ios-firebase", aps + "sound", #""x""#)),
      Row(
        field: "silent", sample: #""silent":true"#,
        cells: at("ios-firebase", aps + "content-available", "1")),
      Row(field: "badge", sample: #""badge":0"#, cells: at("ios-firebase", aps + "badge", "0")),
      Row(field: "data", sample: #""data":{"k":5}"#, cells: each("message.data.k", #""5""#)),
      Row(
        field: "android.data", sample: #""android":{"data":{"k":5}}"#,
        cells: at("android-firebase", "message.data.k", #""5""#)),
      Row(field: "ios.data", sample: #""ios":{"data":{"k":5}}"#, cells: at("ios-firebase", "message.data.k", #""5""#)),
      Row(field: "web.data", sample: #""web":{"data":{"k":5}}"#, cells: at("web-firebase", "message.data.k", #""5""#)),
      Row(
        field: "collapse_id", sample: #""collapse_id":"x""#,
        cells: at("android-firebase", "message.android.collapse_key", #""x""#)
          + at("ios-firebase", headers + "apns-collapse-id", #""x""#)),
      Row(field: "thread_id", sample: #""thread_id":"x""#, cells: at("ios-firebase", aps + "thread-id", #""x""#)),
      Row(field: "category", sample: #""category":"x""#, cells: at("ios-firebase", aps + "category", #""x""#)),
      Row(
        field: "channel_id", sample: #""channel_id":"x""#,
        cells: at("android-firebase", "message.android.notification.channel_id", #""x""#)),
      Row(
        field: "interruption_level", sample: #""interruption_level":"active""#,
        cells: at("ios-firebase", aps + "interruption-level", #""active""#)),
      Row(
        field: "relevance_score", sample: #""relevance_score":0.50"#,
        cells: at("ios-firebase", aps + "relevance-score", "0.50")),
      Row(
        field: "loc", sample: #""loc":{"loc_key":"K","loc_args":["a"]}"#,
        cells: at("android-firebase", "message.android.notification.body_loc_args", #"["a"]"#)
          + at("ios-firebase", aps + "alert.loc-args", #"["a"]"#)),
      Row(
        field: "fcm", sample: #""fcm":{"android":{"direct_boot_ok":true}}"#,
        cells: each("message.android.direct_boot_ok", "true")),
    ])

  private static func each(_ place: String, _ value: String) -> [(String, Cell)] {
    ["android-firebase", "ios-firebase", "web-firebase"].map { ($0, Cell(place: place, value: value)) }
  }

  private static let sdkRoots = roots.filter { $0.key != "ios-hms" }
  private static func sdk(_ name: String, _ value: String) -> [(String, Cell)] { cells(sdkRoots, name, value) }

  /// What requests to Apple carry whatever the SDK.
  private static func appleRows() -> [Row] {
    [
      Row(field: "subtitle", sample: #""subtitle":"X""#, cells: sdk("aps.alert.subtitle", #""X""#)),
      Row(field: "sound", sample: #""sound":"x""#, cells: sdk("aps.sound", #""x""#)),
      Row(field: "badge", sample: #""badge":0"#, cells: sdk("aps.badge", "0")),
      Row(field: "thread_id", sample: #""thread_id":"x""#, cells: sdk("aps.thread-id", #""x""#)),
      Row(
        field: "interruption_level", sample: #""interruption_level":"active""#,
        cells: sdk("aps.interruption-level", #""active""#)),
      Row(field: "relevance_score", sample: #""relevance_score":0.50"#, cells: sdk("aps.relevance-score", "0.50")),
    ]
  }

  static let mindbox = FieldTable(
    profile: .mindbox,
    providers: ["android-firebase", "android-hms", "android-rustore", "ios-apns", "ios-firebase"],
    rows: [
      Row(
        field: "title", sample: #""title":"X""#,
        cells: map("title", #""X""#) + sdk("aps.alert.title", #""X""#)),
      Row(
        field: "body", sample: #""body":"X""#, cells: map("message", #""X""#) + sdk("aps.alert.body", #""X""#)),
      Row(
        field: "priority", sample: #""priority":"normal""#,
        cells: at("android-firebase", "message.android.priority", #""NORMAL""#)
          + at("android-hms", "message.android.urgency", #""NORMAL""#) + header("apns-priority: 5")
          + at("ios-firebase", headers + "apns-priority", #""5""#)),
      Row(
        field: "ttl", sample: #""ttl":60"#,
        cells: at("android-firebase", "message.android.ttl", #""60s""#)
          + at("android-hms", "message.android.ttl", #""60s""#)
          + at("android-rustore", "message.android.ttl", #""60s""#) + header("apns-expiration: 1760000060")
          + at("ios-firebase", headers + "apns-expiration", #""1760000060""#)),
      Row(
        field: "image", sample: #""image":"https://x""#,
        cells: map("imageUrl", #""https://x""#) + sdk("imageUrl", #""https://x""#)),
      Row(
        field: "click_url", sample: #""click_url":"https://x""#,
        cells: map("clickUrl", #""https://x""#) + sdk("clickUrl", #""https://x""#)),
      Row(
        field: "deep_link", sample: #""deep_link":"app://x""#,
        cells: map("clickUrl", #""app://x""#) + sdk("clickUrl", #""app://x""#)),
      Row(
        field: "buttons", sample: #""buttons":[{"label":"X","link":"l","id":"i"}]"#,
        cells: map("buttons{}", #"[{"uniqueKey":"i","text":"X","url":"l"}]"#)
          + sdk("buttons", #"[{"text":"X","url":"l","uniqueKey":"i"}]"#)),
      Row(field: "data", sample: #""data":{"k":5}"#, cells: map("k", #""5""#) + sdk("k", "5")),
      Row(
        field: "payload", sample: #""payload":{"a":1}"#,
        cells: map("payload", #""{\"a\":1}""#) + sdk("payload", #""{\"a\":1}""#)),
      Row(
        field: "unique_key", sample: #""unique_key":"X""#,
        cells: map("uniqueKey", #""X""#) + sdk("uniqueKey", #""X""#)),
    ] + appleRows())

  private static let brazeMaps = maps.filter { $0.key != "android-rustore" }
  private static func brazeMap(_ name: String, _ value: String) -> [(String, Cell)] { cells(brazeMaps, name, value) }

  static let braze = FieldTable(
    profile: .braze, providers: ["android-firebase", "android-hms", "ios-apns", "ios-firebase"],
    rows: [
      Row(field: "title", sample: #""title":"X""#, cells: brazeMap("t", #""X""#) + sdk("aps.alert.title", #""X""#)),
      Row(field: "body", sample: #""body":"X""#, cells: brazeMap("a", #""X""#) + sdk("aps.alert.body", #""X""#)),
      Row(
        field: "image", sample: #""image":"https://x/p.png""#,
        cells: brazeMap("ab_iu", #""https://x/p.png""#) + sdk("ab.att", #"{"url":"https://x/p.png","type":"png"}"#)),
      Row(field: "icon", sample: #""icon":"https://x""#, cells: brazeMap("ab_li", #""https://x""#)),
      Row(
        field: "click_url", sample: #""click_url":"https://x""#,
        cells: brazeMap("uri", #""https://x""#) + sdk("ab_uri", #""https://x""#)),
      Row(field: "channel_id", sample: #""channel_id":"x""#, cells: brazeMap("ab_nc", #""x""#)),
      Row(
        field: "category", sample: #""category":"x""#, cells: brazeMap("ab_ct", #""x""#) + sdk("aps.category", #""x""#)),
      Row(
        field: "buttons", sample: #""buttons":[{"label":"X","link":"l"}]"#,
        cells: brazeMap("ab_a0_t", #""X""#)),
      Row(field: "data", sample: #""data":{"k":5}"#, cells: brazeMap("extra{}.k", #""5""#) + sdk("k", "5")),
      Row(
        field: "loc", sample: #""loc":{"loc_key":"K","loc_args":["a"]}"#, cells: sdk("aps.alert.loc-args", #"["a"]"#)),
      Row(
        field: "apple_push", sample: #""apple_push":{"alert":"X","custom_uri":"app://u"}"#,
        cells: sdk("ab_uri", #""app://u""#)),
    ] + appleRows())
}
