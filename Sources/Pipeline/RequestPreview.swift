import Base
import Campaign
import Providers
import Report
import Transport

/// One message's request as it would be made, without its token and secrets.
public struct RequestPreview: Sendable {
  let channel: String
  let provider: String
  /// Nil where the whole lane is refused.
  let key: RecipientKey?
  /// Why there is no request.
  var refusal: String?
  /// `POST https://…`
  var line = ""
  var headers: [String] = []
  var body: JSON = .null
  /// Bytes of the body as it is sent.
  var bytes = 0
  var screen: LockScreen?

  /// What stands where a token would.
  static let token = "<token>"

  init(_ channel: Channel, _ key: RecipientKey?, refusal: String? = nil) {
    self.refusal = refusal
    self.channel = channel.name
    provider = channel.provider
    self.key = key
  }

  /// Whether nothing would be sent.
  public var isRefused: Bool { refusal != nil }

  /// For people.
  public var lines: [String] {
    let place = "\(channel) (\(provider))" + (key.map { ", \($0.words)" } ?? "")
    if let refusal { return ["REFUSED \(place): \(refusal)"] }
    return [place, line] + headers + [""] + [body.prettyText, "", "\(bytes) bytes"] + (screen?.lines ?? [])
  }

  /// The text with the token's place marked.
  /// - Parameter token: as the provider takes it; nil when it is no secret, as a topic's name.
  static func masked(_ text: String, _ token: String?) -> String {
    guard let token, !token.isEmpty else { return text }
    return text.replacing(token, with: Self.token)
  }

  /// The same in every text of a value.
  static func masked(_ value: JSON, _ token: String?) -> JSON {
    switch value {
    case .string(let text): .string(masked(text, token))
    case .array(let elements): .array(elements.map { masked($0, token) })
    case .object(let object):
      .object(JSONObject(object.members.map { .init(key: $0.key, value: masked($0.value, token)) }))
    default: value
    }
  }

  /// A header line without what authorises: `authorization: Bearer <secret>`.
  static func masked(header line: String) -> String {
    guard line.hasPrefix("authorization: ") else { return line }
    let words = line.split(separator: " ")
    return words.count > 2 ? "\(words[0]) \(words[1]) <secret>" : "\(words[0]) <secret>"
  }
}
