internal import Base
internal import Campaign
internal import Rendering

/// Payloads that Braze's app SDKs read: an object `ab` beside `aps` for Apple's devices, a map of strings with `_ab` for
/// Android's.
enum BrazeProfile {
  static let reservedByApple = ["aps", "ab", "ab_uri", "ab_use_webview"]

  /// The payload's root for Apple's devices.
  static func appleTemplate(of content: Content) -> [UInt8] {
    content.silent ? PackageResources.braze_apple_background_json : PackageResources.braze_apple_json
  }

  /// The data map for Android's.
  static var dataTemplate: [UInt8] { PackageResources.braze_data_json }

  /// Members of the data map that go when they are empty. Title and body stay: without one of them the SDK shows
  /// nothing.
  static func emptyData(at path: String) -> [JSONPath] {
    ["uri", "ab_iu", "ab_li", "sd"].map { JSONPath("\(path).\($0)") }
  }

  /// What the content adds to `ab`: the picture, what buttons do, where the tap leads.
  /// - Parameter path: where the payload's root lies, "" for the whole.
  static func appleOverlays(of content: Content, at path: String) throws(ProviderError) -> [PayloadOverlay] {
    func place(_ name: String) -> JSONPath { JSONPath(path.isEmpty ? name : "\(path).\(name)") }
    if content.silent { return [] }
    var overlays: [PayloadOverlay] = []
    let push = content.applePush
    if let url = content.media ?? content.image, !url.isEmpty {
      overlays.append(PayloadOverlay(path: place("ab.att.url"), json: .string(url), field: "content.media"))
      if let type = push?.assetFileType ?? fileType(of: url) {
        overlays.append(PayloadOverlay(path: place("ab.att.type"), json: .string(type)))
      }
      overlays.append(PayloadOverlay(path: place("aps.mutable-content"), json: .number("1")))
    }
    for button in push?.buttons ?? [] {
      var action = JSONObject([.init(key: "a_t", value: .string(type(of: button.action)))])
      if button.action == .uri { action.set("a_use_webview", .bool(button.usesWebView)) }
      let name = place("ab.ab_cat").adding(button.id)
      overlays.append(PayloadOverlay(path: name, json: .object(action)))
      if let uri = button.uri {
        overlays.append(
          PayloadOverlay(path: name.adding("a_uri"), json: .string(uri), field: "content.apple_push.buttons.uri"))
      }
    }
    if push?.customURI != nil, let usesWebView = push?.usesWebView {
      overlays.append(PayloadOverlay(path: place("ab_use_webview"), json: .bool(usesWebView)))
    }
    return overlays
  }

  /// Apple's SDK publishes no names of its own, so these are Android's.
  private static func type(of action: ApplePush.Button.Action) -> String {
    switch action {
    case .openApp: "ab_open"
    case .uri, .deepLink: "ab_uri"
    case .close: "ab_none"
    }
  }

  /// What Braze calls the file at a URL; nil when its name doesn't tell.
  private static func fileType(of url: String) -> String? {
    let path = url.prefix { $0 != "?" && $0 != "#" }
    guard let dot = path.lastIndex(of: ".") else { return nil }
    let ending = path[path.index(after: dot)...].lowercased()
    let known = ["jpeg": "jpg", "aiff": "aif"][ending] ?? ending
    return ["aif", "gif", "jpg", "m4a", "mp3", "mp4", "png", "wav"].contains(known) ? known : nil
  }

  /// - Throws: `ProviderError` naming the field that Android's SDK wouldn't read.
  static func checkForAndroid(_ content: Content, of channel: Channel) throws(ProviderError) {
    func refuse(_ text: String) -> ProviderError { ProviderError(.content, "\(channel.label): \(text)") }
    if content.silent { throw refuse("content.silent: with title and body Braze's SDK shows the message") }
    for (name, text) in [("title", content.title), ("body", content.body)] where text?.isEmpty != false {
      throw refuse("content.\(name): is needed, Braze's SDK shows no message without title and body")
    }
    if content.sound?.object != nil { throw refuse("content.sound: a name, not an object, for Android") }
  }
}
