import Base
import Campaign
import Pipeline
import Signing

struct DecodeCommand: Command {
  static let spec = CommandSpec(
    words: ["decode"], operands: "TEXT…", operandCount: 1...1000,
    summary: "reads message ids (_uid), launch ids (_launch_id) and tracking links",
    options: [
      .init(name: "--key", value: "REF", help: "link key: file:NAME or env:NAME; newest first", isRepeatable: true),
      .init(name: "--credentials", value: "DIR", help: "folder of credential files (SALVO_CREDENTIALS)"),
    ],
    usesDatabase: false)

  private let texts: [String]
  private let keys: [CredentialReference]
  private let credentials: CredentialStore

  init(_ arguments: Arguments) throws {
    texts = arguments.operands
    keys = try arguments.texts("--key").map { text in
      guard let reference = CredentialReference(text) else {
        throw UsageError("--key takes file:NAME or env:NAME, not \"\(text)\"")
      }
      return reference
    }
    credentials = CredentialStore(
      folder: arguments.text("--credentials")
        ?? Environment.value("SALVO_CREDENTIALS") ?? Environment.value("CREDENTIALS_DIRECTORY"))
  }

  func run() async throws -> Int32 {
    for text in texts { print(try read(text).text) }
    return 0
  }

  /// A link holds `/`, a launch id `_`; neither is a letter of base58.
  private func read(_ text: String) throws -> JSON {
    do {
      if text.contains("/") { return try link(text) }
      if text.contains("_") { return Self.object(try LaunchTag.decode(text)) }
      return Self.object(try MessageID.decode(text.utf8))
    } catch let error as CampaignError {
      throw RunError(.content, "\"\(text)\": \(error)")
    }
  }

  private func link(_ text: String) throws -> JSON {
    guard !keys.isEmpty else { throw UsageError("a tracking link is encrypted: give its key by --key") }
    let links: HubLinks
    do {
      links = try HubLinks(
        hubURL: "", keys: try keys.map { try LinkKey(text: try credentials.load($0, of: "--key")) })
    } catch let error as SigningError {
      throw RunError(.configuration, "--key: \(error)")
    }
    let link = try links.decode(text)
    var object = JSONObject()
    object.set("kind", .string(link.kind == .open ? "open" : "ack"))
    object.set("uid", .string(String(decoding: link.uid, as: UTF8.self)))
    object.set("message", Self.object(try MessageID.decode(link.uid)))
    return .object(object)
  }

  private static func object(_ tag: LaunchTag) -> JSON {
    object([("account", tag.account), ("campaign", tag.campaign), ("started_at_ms", tag.milliseconds)])
  }

  private static func object(_ id: MessageID) -> JSON {
    object([
      ("account", id.account), ("campaign", id.campaign), ("resource", id.resource), ("channel", id.channel),
      ("profile", id.profile), ("subscription", id.subscription), ("started_at_ms", id.milliseconds),
    ])
  }

  private static func object(_ members: [(String, Int64)]) -> JSON {
    .object(JSONObject(members.map { JSONObject.Member(key: $0.0, value: .number(String($0.1))) }))
  }
}
