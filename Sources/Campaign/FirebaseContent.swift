internal import Base

/// `content.fcm`: what Firebase's v1 message takes for each platform, field by field. It is laid over what the common
/// content made, member by member, so it has the last word; null takes a member away.
///
/// The fields are those of the message resource of the FCM v1 reference, in its own snake case.
enum FirebaseContent {
  /// Firebase keeps a message for four weeks at most.
  private static let timeToLive = FieldShape.duration(0...2_419_200)
  private static let label = ("analytics_label", FieldShape.text)

  private static let lightSettings = FieldShape.object([
    (
      "color",
      .object([
        ("red", .decimal(0...1)), ("green", .decimal(0...1)), ("blue", .decimal(0...1)), ("alpha", .decimal(0...1)),
      ])
    ),
    ("light_on_duration", .duration(0...86_400)), ("light_off_duration", .duration(0...86_400)),
  ])

  private static let androidNotification = FieldShape.object([
    ("title", .text), ("body", .text), ("icon", .text), ("color", .color), ("sound", .text), ("tag", .text),
    ("click_action", .text), ("body_loc_key", .text), ("body_loc_args", .texts), ("title_loc_key", .text),
    ("title_loc_args", .texts), ("channel_id", .text), ("ticker", .text), ("sticky", .flag), ("event_time", .text),
    ("local_only", .flag),
    (
      "notification_priority",
      .choice([
        "PRIORITY_UNSPECIFIED", "PRIORITY_MIN", "PRIORITY_LOW", "PRIORITY_DEFAULT", "PRIORITY_HIGH", "PRIORITY_MAX",
      ])
    ),
    ("default_sound", .flag), ("default_vibrate_timings", .flag), ("default_light_settings", .flag),
    ("vibrate_timings", .list(.duration(0...86_400))),
    ("visibility", .choice(["VISIBILITY_UNSPECIFIED", "PRIVATE", "PUBLIC", "SECRET"])),
    ("notification_count", .whole(0...2_147_483_647)), ("light_settings", lightSettings), ("image", .text),
    ("proxy", .choice(["PROXY_UNSPECIFIED", "ALLOW", "DENY", "IF_PRIORITY_LOWERED"])),
  ])

  static let shape = FieldShape.object([
    (
      "android",
      .object([
        ("collapse_key", .text), ("priority", .choice(["normal", "high", "NORMAL", "HIGH"])), ("ttl", timeToLive),
        ("restricted_package_name", .text), ("data", .strings), ("notification", androidNotification),
        ("fcm_options", .object([label])), ("direct_boot_ok", .flag), ("bandwidth_constrained_ok", .flag),
        ("restricted_satellite_ok", .flag),
      ])
    ),
    (
      "apns",
      .object([
        ("headers", .strings), ("payload", .open), ("fcm_options", .object([label, ("image", .text)])),
        ("live_activity_token", .text),
      ])
    ),
    (
      "webpush",
      .object([
        ("headers", .strings), ("data", .strings), ("notification", .open),
        ("fcm_options", .object([label, ("link", .text)])),
      ])
    ),
    ("fcm_options", .object([label])),
  ])

  /// The block, checked.
  /// - Throws: `CampaignError` naming the field, when the shape is wrong, arguments of a localised text have no key,
  ///   light settings miss a part, or an Apple image has no file extension.
  static func read(_ value: JSON, path: String) throws(CampaignError) -> JSONObject {
    let object = try shape.read(value, path: path).object ?? JSONObject()
    let notification = object.member("android", "notification")?.object
    for text in ["title", "body"] where notification?["\(text)_loc_args"]?.array?.isEmpty == false {
      guard notification?["\(text)_loc_key"]?.string != nil else {
        throw CampaignError(
          field: "\(path).android.notification.\(text)_loc_args", message: "needs \(text)_loc_key beside it")
      }
    }
    if let light = notification?["light_settings"]?.object {
      for key in ["color", "light_on_duration", "light_off_duration"] where light[key] == nil {
        throw CampaignError(
          field: "\(path).android.notification.light_settings.\(key)",
          message: "is missing; light settings need color, light_on_duration and light_off_duration")
      }
    }
    if let image = object.member("apns", "fcm_options", "image")?.string {
      try AppleImage.check(image, field: "\(path).apns.fcm_options.image")
    }
    try checkLabels(object, path: path)
    return object
  }

  private static func checkLabels(_ object: JSONObject, path: String) throws(CampaignError) {
    for block in ["android", "apns", "webpush", nil] {
      let name = (block.map { [$0] } ?? []) + ["fcm_options", "analytics_label"]
      guard let label = object.member(name)?.string, !LaunchTarget.isName(label, atMost: 50) else { continue }
      throw CampaignError(
        field: ([path] + name).joined(separator: "."), message: "1 to 50 of the characters a-z A-Z 0-9 - _ . ~ %")
    }
  }

  /// What Firebase takes and a device may not: for people, the message goes out.
  static func warnings(of object: JSONObject, path: String) -> [String] {
    var warnings: [String] = []
    if object.member("webpush", "headers", "image") != nil {
      warnings.append(
        "\(path).webpush.headers.image: no header of web push; a browser shows webpush.notification.image")
    }
    if let link = object.member("webpush", "fcm_options", "link")?.string, !link.hasPrefix("https://"),
      !link.hasPrefix("{{")
    {
      warnings.append(
        "\(path).webpush.fcm_options.link: a browser opens https addresses only, this one is relative to its page")
    }
    return warnings
  }
}

/// Apple tells what an attachment is by its file name.
public enum AppleImage {
  /// - Throws: `CampaignError` when the URL's last part has no file extension. A text with actions is only known with
  ///   its message and passes.
  public static func check(_ url: String, field: String) throws(CampaignError) {
    if url.isEmpty || url.contains("{{") { return }
    let path = url.prefix { $0 != "?" && $0 != "#" }
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    // https: / (nothing) / host / path
    let name = path.contains("://") ? (parts.count > 3 ? parts.last : nil) : parts.last
    guard let name, let dot = name.lastIndex(of: "."), dot > name.startIndex, name.index(after: dot) < name.endIndex
    else {
      throw CampaignError(field: field, message: "Apple's devices need a file extension at the end, as in /picture.png")
    }
  }
}

extension JSONObject {
  /// The member that a path of names leads to.
  func member(_ names: String...) -> JSON? { member(names) }

  func member(_ names: [String]) -> JSON? {
    var value = JSON.object(self)
    for name in names {
      guard let next = value.object?[name] else { return nil }
      value = next
    }
    return value
  }
}
