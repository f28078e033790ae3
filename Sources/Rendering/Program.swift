internal import Base

/// A bound template: what differs from message to message, and between it the bytes that never do.
struct Program: Sendable {
  /// One step. Targets are indices of steps.
  enum Step: Sendable {
    /// Bytes of `bytes`.
    case bytes(lower: Int32, upper: Int32)
    case token(depth: Int32)
    // Base58 and URLs of the hub need no escapes.
    case uid
    case openLink
    case ackLink
    /// One of `texts`, inside a string.
    case text(Int32, depth: Int32)
    /// One of `texts` as a JSON value of its own type, in so many strings.
    case value(Int32, level: Int32)
    /// A comma unless the bracket has only just been opened.
    case comma
    /// Remembers where a member begins.
    case mark(Int32)
    case landmarkBegin(Int32)
    case landmarkEnd(Int32)
    case jump(Int32)
    /// Goes on only if the text is true.
    case unless(text: Int32, target: Int32)
    /// Takes back everything since the mark if the text is null.
    case dropNull(text: Int32, mark: Int32, target: Int32)
    /// Takes back everything since the mark.
    case drop(mark: Int32, target: Int32)
    /// Takes the member back if its object has nothing in it.
    case dropEmptyObject(mark: Int32, target: Int32)
    /// Takes the member back if since `value` there is nothing but quotes.
    case dropEmptyText(mark: Int32, value: Int32, quotes: Int32, target: Int32)
  }

  let steps: [Step]
  let bytes: [UInt8]
  /// What steps write and decide by, each computed once a message at most.
  let texts: [Dynamic]
  let marks: Int
  let landmarks: Int

  /// Whether two messages differ by more than their token.
  /// - Parameter isGroup: one id names all messages.
  func isPersonal(isGroup: Bool) -> Bool {
    steps.contains { step in
      switch step {
      case .uid, .openLink, .ackLink: !isGroup
      case .text, .value, .unless, .dropNull: step.textUsed.map { texts[Int($0)].isPersonal } ?? false
      default: false
      }
    }
  }

  /// Indices of the content's personal texts that it writes or decides by.
  var personalTexts: Set<Int> { texts.reduce(into: []) { $0.formUnion($1.personalTexts) } }

  var hasLinks: Bool {
    steps.contains { step in
      switch step {
      case .openLink, .ackLink: true
      default: false
      }
    } || texts.contains { $0.hasLink }
  }
}

extension Program.Step {
  /// The one of `texts` that it writes or decides by.
  var textUsed: Int32? {
    switch self {
    case .text(let text, _), .value(let text, _), .unless(let text, _), .dropNull(let text, _, _): text
    default: nil
    }
  }
}
