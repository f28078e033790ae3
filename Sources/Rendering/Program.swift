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
    /// One of `texts`.
    case text(Int32, depth: Int32)
    /// A comma unless the bracket has only just been opened.
    case comma
    /// Remembers where a member begins.
    case mark(Int32)
    case landmarkBegin(Int32)
    case landmarkEnd(Int32)
    case jump(Int32)
    /// Goes on only if the text is not empty.
    case unlessEmpty(text: Int32, target: Int32)
    /// Takes back everything since the mark.
    case drop(mark: Int32, target: Int32)
    /// Takes the member back if its object has nothing in it.
    case dropEmptyObject(mark: Int32, target: Int32)
    /// Takes the member back if since `value` there is nothing but quotes.
    case dropEmptyText(mark: Int32, value: Int32, quotes: Int32, target: Int32)
  }

  let steps: [Step]
  let bytes: [UInt8]
  /// What `text` steps write, computed once a message.
  let texts: [Dynamic]
  let marks: Int
  let landmarks: Int

  /// Whether two messages differ by more than their token.
  /// - Parameter isGroup: one id names all messages.
  func isPersonal(isGroup: Bool) -> Bool {
    steps.contains { step in
      switch step {
      case .uid, .openLink, .ackLink: !isGroup
      case .text(let index, _): texts[Int(index)].isPersonal
      case .unlessEmpty(let index, _): texts[Int(index)].isPersonal
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

extension Dynamic {
  fileprivate var personalTexts: Set<Int> {
    switch self {
    case .text(let index): [index]
    case .onlyHTTP(let inner, _): inner.personalTexts
    case .fallback(let first, let other): first.personalTexts.union(other.personalTexts)
    case .token, .uid, .openLink, .ackLink, .constant: []
    }
  }

  fileprivate var hasLink: Bool {
    switch self {
    case .openLink, .ackLink: true
    case .token, .uid, .text, .constant: false
    case .onlyHTTP(let inner, _): inner.hasLink
    case .fallback(let first, let other): first.hasLink || other.hasLink
    }
  }
}
