internal import Base
internal import Campaign
internal import Rendering

/// Payloads for apps with Firebase's own SDK: a notification that all platforms show, and beside it what each platform
/// has of its own. The channel's platform gets what the common content says for it; a launch to a topic or a condition
/// all three. Last, `content.fcm` is laid over the message.
///
/// What the content leaves open is left to Firebase: no priority, no sound.
struct FirebaseProfile {
  let channel: Channel
  let content: Content
  let platform: Platform
  let targets: TopicTargets?
  private let label: String

  init(channel: Channel, launch: Launch, platform: Platform) {
    self.channel = channel
    content = launch.content
    self.platform = platform
    targets = TopicTargets(of: launch, at: channel)
    label = channel.label
  }

  private var platforms: [Platform] { targets == nil ? [platform] : Platform.allCases }
  private var showsNotification: Bool { content.hasNotification && !content.silent }

  func shape(for provider: some Provider) throws(ProviderError) -> PayloadShape {
    if platforms.contains(.ios), let image = content.media ?? content.image {
      do { try AppleImage.check(image, field: content.media == nil ? "content.image" : "content.media") } catch {
        throw ProviderError(.content, "\(label): \(error)")
      }
    }
    return PayloadShape(
      template: try TemplateText.source(of: channel, for: provider) {
        targets.map {
          TemplateText.replacing(#""token":"#, with: "\"\($0.member)\":", in: PackageResources.firebase_json)
        }
          ?? PackageResources.firebase_json
      },
      dropEmpty: [
        "message.notification.*", "message.android.notification.*", "message.apns.headers.*",
        "message.apns.payload.aps.alert.*", "message.apns.fcm_options.*", "message.webpush.notification.*",
        "message.webpush.fcm_options.*",
      ],
      customData: CustomDataPlace(path: "message.data", form: .strings, reserved: ReservedNames.firebase),
      overlays: [PayloadOverlay(path: "message", json: .object(common))] + data
        + (content.firebase.map { [PayloadOverlay(path: "message", json: .object($0), field: "content.fcm")] } ?? []))
  }

  /// What of the template doesn't apply, and what no action writes.
  private var common: JSONObject {
    var message = JSONObject()
    if !showsNotification { message.set("notification", .null) }
    if platforms.contains(.android) { message.set("android", .object(android)) } else { message.set("android", .null) }
    if platforms.contains(.ios) { message.set("apns", .object(apple)) } else { message.set("apns", .null) }
    if platforms.contains(.web) { message.set("webpush", .object(web)) } else { message.set("webpush", .null) }
    let hasData = !content.data.isEmpty || (targets == nil && content.platformData[platform]?.isEmpty == false)
    if !hasData { message.set("data", .null) }
    return message
  }

  private var sound: JSON? { content.soundless ? nil : content.sound }

  private var android: JSONObject {
    var android = JSONObject()
    if content.priority == nil { android.set("priority", .null) }
    var notification = JSONObject()
    if let name = sound?.string ?? sound?.object?["name"]?.string { notification.set("sound", .string(name)) }
    let isShown = showsNotification || content.firebase?["android"]?.object?["notification"]?.object != nil
    android.set("notification", isShown ? .object(notification) : .null)
    return android
  }

  private var apple: JSONObject {
    var aps = JSONObject()
    if let sound { aps.set("sound", sound) }
    if content.subtitle?.isEmpty != false, content.localization == nil || !showsNotification { aps.set("alert", .null) }
    if content.media ?? content.image != nil { aps.set("mutable-content", .number("1")) }
    var headers = JSONObject()
    let ownAps = content.firebase?["apns"]?.object?["payload"]?.object?["aps"]?.object
    if !showsNotification, ownAps?["alert"] == nil {
      // A push that shows nothing: Apple refuses priority 10 for it.
      aps.set("alert", .null)
      aps.set("content-available", .number("1"))
      headers.set("apns-push-type", .string("background"))
      headers.set("apns-priority", .string("5"))
    }
    return JSONObject([
      .init(key: "headers", value: .object(headers)),
      .init(key: "payload", value: .object(JSONObject([.init(key: "aps", value: .object(aps))]))),
    ])
  }

  private var web: JSONObject {
    let urgency: JSON? = content.priority == nil ? .null : nil
    return JSONObject(
      urgency.map {
        [.init(key: "headers", value: .object(JSONObject([.init(key: "Urgency", value: $0)])))]
      } ?? [])
  }

  /// Of a message to all platforms each one's own data: they take the place of the common map there.
  private var data: [PayloadOverlay] {
    guard targets != nil else { return [] }
    return Platform.allCases.compactMap { platform in
      guard let own = content.platformData[platform], !own.isEmpty else { return nil }
      var all = content.data
      for member in own.members { all.set(member.key, member.value) }
      let members = all.members.compactMap { member in
        member.value.isNull
          ? nil
          : JSONObject.Member(
            key: member.key,
            value: platform == .ios || member.value.string != nil ? member.value : .string(member.value.text))
      }
      let path = [Platform.android: "message.android.data", .web: "message.webpush.data", .ios: "message.apns.payload"]
      return PayloadOverlay(path: JSONPath(path[platform] ?? "message.data"), json: .object(JSONObject(members)))
    }
  }
}
