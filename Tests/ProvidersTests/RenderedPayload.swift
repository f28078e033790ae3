import Base
import Campaign
import Providers
import Rendering
import Testing
import Transport

/// The body of one message as its provider gets it, and its places.
struct RenderedPayload {
  let provider: String
  let batch: RequestBatch
  let root: JSON

  init(
    _ provider: String, _ content: Content, settings: String? = nil, tracking: LaunchOptions.Tracking = .message,
    profile: PayloadProfile = .altcraft, options: LaunchOptions = LaunchOptions(), tokens: [String]? = nil
  ) throws {
    self.provider = provider
    batch = try PayloadTests.batch(
      provider, content: content, settings: settings, tokens: tokens, tracking: tracking, profile: profile,
      options: options)
    root = try JSONScanner.parse(batch.body(0))
  }

  /// What lies under some names; a number names an element.
  subscript(_ names: String...) -> JSON? {
    names.reduce(root) { value, name in
      Int(name).flatMap { value?.array?.dropFirst($0).first } ?? value?.object?[name]
    }
  }

  private static func inside(_ text: JSON?) throws -> JSONObject {
    let text = try #require(text?.string)
    return try #require(JSONScanner.parse(text).object)
  }

  /// `messages.android` or `messages.iOS` of AppMetrica's one entry.
  var entry: JSONObject? {
    self["push_batch_request", "batch", "0", "messages", provider.hasPrefix("ios") ? "iOS" : "android"]?.object
  }

  /// The members that customers' own data stand beside.
  func data() throws -> JSONObject {
    let data =
      switch provider {
      case "android-firebase": self["message", "android", "data"]?.object
      case "android-rustore": self["message", "data"]?.object
      case "android-hms": try Self.inside(self["message", "data"])
      case "ios-apns": root.object
      case "ios-firebase", "ios-hms": self["message", "apns", "payload"]?.object
      default: try Self.inside(entry?["content"]?.object?["data"])
      }
    return try #require(data)
  }

  /// Apple's `aps`, nil for the others.
  var aps: JSONObject? {
    provider == "ios-apns" ? self["aps"]?.object : self["message", "apns", "payload", "aps"]?.object
  }

  /// How long the message may wait, in the form and at the place of its provider; nil when nothing says so. APNs' own
  /// is a header of the lane.
  var timeToLive: JSON? {
    switch provider {
    case "android-firebase", "android-hms", "android-rustore": self["message", "android", "ttl"]
    case "ios-firebase", "ios-hms": self["message", "apns", "headers", "apns-expiration"]
    case "android-appmetrica": entry?["content"]?.object?["time_to_live"]
    default: entry?["content"]?.object?["expiration"]
    }
  }
}
