internal import Base
internal import Transport

/// What a Huawei answer says: `{code, msg, requestId}`, where `msg` may be JSON in a string.
struct HMSAnswer {
  let code: String?
  let requestID: String?
  /// Tokens that weren't sent, each with Huawei's reason (v3) or nil (v1); nil when `msg` lists none.
  let illegalTokens: [(token: String, reason: String?)]?
  /// How many failed by the answer's own count.
  let failures: Int64?

  init(_ answer: Answer) {
    let root = (try? JSONScanner.parse(answer.body))?.object
    // Text by the reference; a number was met as well.
    switch root?["code"] {
    case .string(let text): code = text
    case .number(let digits): code = digits
    default: code = nil
    }
    requestID = root?["requestId"]?.string
    let message = root?["msg"]
    let inner = message?.object ?? message?.string.flatMap(Self.object)
    failures = inner?["failure"]?.int ?? inner?["failure"]?.string.flatMap { Int64($0) }
    if let list = (inner?["illegal_tokens"] ?? inner?["illegalTokens"])?.array {
      illegalTokens = list.compactMap(\.string).map { ($0, nil) }
    } else if let reasons = (inner?["illegalTokens"] ?? inner?["illegal_tokens"])?.object {
      illegalTokens = reasons.members.flatMap { member in
        (member.value.array ?? []).compactMap(\.string).map { ($0, member.key) }
      }
    } else {
      illegalTokens = nil
    }
  }

  /// The object that a text holds. Most texts are plain words; those aren't even tried.
  private static func object(in text: String) -> JSONObject? {
    text.utf8.contains(UInt8(ascii: "{")) ? (try? JSONScanner.parse(text))?.object : nil
  }
}
