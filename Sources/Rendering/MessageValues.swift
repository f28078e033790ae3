internal import Base
internal import Campaign

/// One message, for values that differ from message to message.
struct MessageContext {
  let tokens: [UInt8]
  let token: Range<Int>
  let uid: [UInt8]
  /// Nil when the program has no personal texts.
  let recipient: PersonalValues?
}

/// Computes what a program leaves to the message, each value when it is first needed and once.
struct MessageValues {
  /// What a value came to.
  struct Result {
    enum Kind {
      case null
      /// `range` is a text's own bytes.
      case text
      /// `range` is JSON.
      case json
    }

    var kind: Kind
    var isTrue: Bool
    /// Bytes of `bytes`.
    var range: Range<Int>
  }

  private let program: Program
  private let personalTexts: [PersonalText]
  private let links: HubLinks.Session?
  private let isBlankAllowed: Bool
  private var results: [Result?]
  /// This message's values, one behind the other.
  private(set) var bytes: [UInt8] = []

  /// - Parameter links: nil when the program writes no links.
  init(_ program: Program, personalTexts: [PersonalText], links: HubLinks.Session?, isBlankAllowed: Bool) {
    self.program = program
    self.personalTexts = personalTexts
    self.links = links
    self.isBlankAllowed = isBlankAllowed
    results = [Result?](repeating: nil, count: program.texts.count)
  }

  /// Forgets the last message.
  mutating func clear() {
    if results.isEmpty { return }
    bytes.removeAll(keepingCapacity: true)
    for index in results.indices { results[index] = nil }
  }

  mutating func result(_ index: Int32, _ message: MessageContext) throws(PersonalFailure) -> Result {
    let index = Int(index)
    if let result = results[index] { return result }
    let result = try compute(program.texts[index], message)
    results[index] = result
    return result
  }

  private mutating func compute(_ dynamic: Dynamic, _ message: MessageContext) throws(PersonalFailure) -> Result {
    let start = bytes.count
    if try append(dynamic, message, to: &bytes) {
      return Result(kind: .text, isTrue: bytes.count > start, range: start..<bytes.count)
    }
    let value = try value(of: dynamic, message)
    var kind = Result.Kind.json
    switch value {
    case .data(.string(let text)):
      kind = .text
      bytes.append(contentsOf: text.utf8)
    case .data(let json) where !json.isNull, .encoded(.data(let json)) where !json.isNull: bytes.appendJSON(json)
    case .data, .encoded, .list, .record, .dynamic, .timeToLive: kind = .null
    }
    return Result(kind: kind, isTrue: value.isTrue == true, range: start..<bytes.count)
  }

  /// Appends one of the texts that a message has by itself; false for what is computed.
  private func append(
    _ dynamic: Dynamic, _ message: MessageContext, to out: inout [UInt8]
  ) throws(PersonalFailure) -> Bool {
    switch dynamic {
    case .token: out.append(contentsOf: message.tokens[message.token])
    case .uid: out.append(contentsOf: message.uid)
    case .openLink: try links?.append(.open, of: message, to: &out)
    case .ackLink: try links?.append(.ack, of: message, to: &out)
    case .text(let index):
      guard let recipient = message.recipient else { return true }
      try personalTexts[index].append(for: recipient, isBlankAllowed: isBlankAllowed, to: &out)
    case .onlyHTTP(let inner, let wanted):
      let start = out.count
      guard try append(inner, message, to: &out) else { return false }
      if PayloadValues.isHTTP(out[start...]) != wanted { out.removeSubrange(start...) }
    case .call, .choose, .member, .choice: return false
    }
    return true
  }

  private func value(of dynamic: Dynamic, _ message: MessageContext) throws(PersonalFailure) -> Value {
    switch dynamic {
    case .token, .uid, .openLink, .ackLink, .text, .onlyHTTP:
      var text: [UInt8] = []
      _ = try append(dynamic, message, to: &text)
      return .data(.string(String(decoding: text, as: UTF8.self)))
    case .call(let function, let operands):
      var values: [Value] = []
      for operand in operands { values.append(try value(of: operand, message)) }
      let result: Value
      do {
        result = try FunctionCall.result(of: function, values)
      } catch {
        throw PersonalFailure(reason: "wrong_value", detail: "the template: \(error.message)")
      }
      return try value(of: result, message)
    case .choose(let chooser, let operands):
      for operand in operands.dropLast() {
        let value = try value(of: operand, message)
        if chooser.takes(value) == true { return value }
      }
      return try operands.last.map { (operand) throws(PersonalFailure) in try value(of: operand, message) } ?? .null
    case .member(let base, let names): return try value(of: try value(of: base, message).member(names), message)
    case .choice(let condition, let first, let second):
      let isTrue = try value(of: condition, message).isTrue == true
      return try value(of: isTrue ? first : second, message)
    }
  }

  private func value(of value: Value, _ message: MessageContext) throws(PersonalFailure) -> Value {
    switch value {
    case .dynamic(let dynamic): try self.value(of: dynamic, message)
    case .encoded(let inner): .encoded(try self.value(of: inner, message))
    case .data, .list, .record, .timeToLive: value
    }
  }
}

extension HubLinks.Session {
  func append(_ kind: HubLinks.Kind, of message: MessageContext, to out: inout [UInt8]) throws(PersonalFailure) {
    do {
      try append(kind, uid: message.uid[...], to: &out)
    } catch {
      throw PersonalFailure(reason: "link", detail: "the tracking link could not be made: \(error)")
    }
  }
}
