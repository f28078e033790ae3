import Base
import Campaign
import Pipeline

struct DecodeCommand: Command {
  static let spec = CommandSpec(
    words: ["decode"], operands: "TEXT…", operandCount: 1...1000,
    summary: "reads message ids (_uid), launch ids (_launch_id) and tracking links",
    options: [
      .init(name: "--key", value: "REF", help: "link key: file:NAME or env:NAME; newest first", isRepeatable: true),
      .init(name: "--credentials", value: "DIR", help: "folder of credential files (SALVO_CREDENTIALS)"),
    ])

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
    for text in texts { print(try read(text)) }
    return 0
  }
}
