internal import Base
internal import Campaign

/// Runs a program for the messages of one slice, straight into its arena. One a task.
struct MessageWriter {
  private let program: Program
  private let personalTexts: [PersonalText]
  private let links: HubLinks.Session?
  private let isBlankAllowed: Bool
  private var marks: [Int]
  /// This message's texts, one behind the other.
  private var texts: [UInt8] = []
  private var textRanges: [Range<Int>]
  /// This message's values of the shape's landmarks.
  private(set) var landmarks: [ByteRange]
  private(set) var arena: [UInt8] = []

  private static let nowhere = ByteRange(lower: 0, upper: 0)

  /// - Parameter links: nil when the program writes no links.
  init(_ program: Program, personalTexts: [PersonalText], links: HubLinks.Session?, isBlankAllowed: Bool) {
    self.program = program
    self.personalTexts = personalTexts
    self.links = links
    self.isBlankAllowed = isBlankAllowed
    marks = [Int](repeating: 0, count: program.marks)
    textRanges = [Range<Int>](repeating: 0..<0, count: program.texts.count)
    landmarks = [ByteRange](repeating: Self.nowhere, count: program.landmarks)
  }

  mutating func reserve(_ bytes: Int) { arena.reserveCapacity(bytes) }

  /// Appends bytes that are no payload.
  mutating func append(_ bytes: [UInt8]) -> ByteRange {
    let start = arena.count
    arena.append(contentsOf: bytes)
    return ByteRange(lower: start, upper: arena.count)
  }

  /// Appends one payload; on failure nothing.
  /// - Parameter recipient: nil when the program has no personal texts.
  mutating func payload(
    token: Range<Int>, of tokens: [UInt8], uid: [UInt8], recipient: PersonalValues?
  ) throws(PersonalFailure) -> ByteRange {
    let start = arena.count
    do {
      try computeTexts(token: tokens[token], uid: uid, recipient: recipient)
      try run(token: token, of: tokens, uid: uid)
    } catch {
      arena.removeSubrange(start...)
      throw error
    }
    return ByteRange(lower: start, upper: arena.count)
  }

  private mutating func computeTexts(
    token: ArraySlice<UInt8>, uid: [UInt8], recipient: PersonalValues?
  ) throws(PersonalFailure) {
    if program.texts.isEmpty { return }
    texts.removeAll(keepingCapacity: true)
    for index in program.texts.indices {
      let start = texts.count
      try compute(program.texts[index], token: token, uid: uid, recipient: recipient)
      textRanges[index] = start..<texts.count
    }
  }

  private mutating func compute(
    _ dynamic: Dynamic, token: ArraySlice<UInt8>, uid: [UInt8], recipient: PersonalValues?
  ) throws(PersonalFailure) {
    let start = texts.count
    switch dynamic {
    case .constant(let text): texts.append(contentsOf: text.utf8)
    case .token: texts.append(contentsOf: token)
    case .uid: texts.append(contentsOf: uid)
    case .openLink: try Self.link(.open, links, uid: uid, to: &texts)
    case .ackLink: try Self.link(.ack, links, uid: uid, to: &texts)
    case .text(let index):
      guard let recipient else { return }
      try personalTexts[index].append(for: recipient, isBlankAllowed: isBlankAllowed, to: &texts)
    case .onlyHTTP(let inner, let wanted):
      try compute(inner, token: token, uid: uid, recipient: recipient)
      if PayloadValues.isHTTP(texts[start...]) != wanted { texts.removeSubrange(start...) }
    case .fallback(let first, let other):
      try compute(first, token: token, uid: uid, recipient: recipient)
      if texts.count == start { try compute(other, token: token, uid: uid, recipient: recipient) }
    }
  }

  private static func link(
    _ kind: HubLinks.Kind, _ links: HubLinks.Session?, uid: [UInt8], to out: inout [UInt8]
  ) throws(PersonalFailure) {
    do {
      try links?.append(kind, uid: uid[...], to: &out)
    } catch {
      throw PersonalFailure(reason: "link", detail: "the tracking link could not be made: \(error)")
    }
  }

  private mutating func run(token: Range<Int>, of tokens: [UInt8], uid: [UInt8]) throws(PersonalFailure) {
    for index in landmarks.indices { landmarks[index] = Self.nowhere }
    var at = 0
    while at < program.steps.count {
      let step = program.steps[at]
      at += 1
      switch step {
      case .bytes(let lower, let upper): arena.append(contentsOf: program.bytes[Int(lower)..<Int(upper)])
      case .token(let depth): Escaper.all[Int(depth)].append(tokens, token, to: &arena)
      case .uid: arena.append(contentsOf: uid)
      case .openLink: try Self.link(.open, links, uid: uid, to: &arena)
      case .ackLink: try Self.link(.ack, links, uid: uid, to: &arena)
      case .text(let index, let depth): Escaper.all[Int(depth)].append(texts, textRanges[Int(index)], to: &arena)
      case .comma:
        if let last = arena.last, last != UInt8(ascii: "{"), last != UInt8(ascii: "[") {
          arena.append(UInt8(ascii: ","))
        }
      case .mark(let mark): marks[Int(mark)] = arena.count
      case .landmarkBegin(let index):
        landmarks[Int(index)] = ByteRange(lower: arena.count, upper: arena.count)
      case .landmarkEnd(let index): landmarks[Int(index)].upper = UInt32(truncatingIfNeeded: arena.count)
      case .jump(let target): at = Int(target)
      case .unlessEmpty(let text, let target): if textRanges[Int(text)].isEmpty { at = Int(target) }
      case .drop(let mark, let target):
        drop(Int(mark))
        at = Int(target)
      case .dropEmptyObject(let mark, let target):
        if arena.last == UInt8(ascii: "{") {
          drop(Int(mark))
          at = Int(target)
        }
      case .dropEmptyText(let mark, let value, let quotes, let target):
        if arena.count - marks[Int(value)] == Int(quotes), arena.last == UInt8(ascii: "\"") {
          drop(Int(mark))
          at = Int(target)
        }
      }
    }
  }

  /// What was taken back holds no landmark that was ended: those of a value end behind the step that may drop it.
  private mutating func drop(_ mark: Int) { arena.removeSubrange(marks[mark]...) }
}
