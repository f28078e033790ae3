internal import Base
internal import Campaign

/// Runs a program for messages of one slice, straight into its arena. One a task.
struct MessageWriter {
  private let program: Program
  private let links: HubLinks.Session?
  private var values: MessageValues
  private var marks: [Int]
  /// This message's values of the shape's landmarks.
  private(set) var landmarks: [ByteRange]

  private static let nowhere = ByteRange(lower: 0, upper: 0)

  /// - Parameter links: nil when the program writes no links.
  init(_ program: Program, personalTexts: [PersonalText], links: HubLinks.Session?, isBlankAllowed: Bool) {
    self.program = program
    self.links = links
    values = MessageValues(program, personalTexts: personalTexts, links: links, isBlankAllowed: isBlankAllowed)
    marks = [Int](repeating: 0, count: program.marks)
    landmarks = [ByteRange](repeating: Self.nowhere, count: program.landmarks)
  }

  /// Appends one payload; on failure nothing.
  mutating func payload(
    _ message: MessageContext, to arena: inout [UInt8]
  ) throws(PersonalFailure) -> ByteRange {
    let start = arena.count
    values.clear()
    do {
      try run(message, to: &arena)
    } catch {
      arena.removeSubrange(start...)
      throw error
    }
    return ByteRange(lower: start, upper: arena.count)
  }

  private mutating func run(_ message: MessageContext, to arena: inout [UInt8]) throws(PersonalFailure) {
    for index in landmarks.indices { landmarks[index] = Self.nowhere }
    var at = 0
    while at < program.steps.count {
      let step = program.steps[at]
      at += 1
      switch step {
      case .bytes(let lower, let upper): arena.append(contentsOf: program.bytes[Int(lower)..<Int(upper)])
      case .token(let depth): Escaper.all[Int(depth)].append(message.tokens, message.token, to: &arena)
      case .uid: arena.append(contentsOf: message.uid)
      case .openLink: try links?.append(.open, of: message, to: &arena)
      case .ackLink: try links?.append(.ack, of: message, to: &arena)
      case .text(let index, let depth):
        let result = try values.result(index, message)
        Escaper.all[Int(depth)].append(values.bytes, result.range, to: &arena)
      case .value(let index, let level): try value(index, level: Int(level), message, to: &arena)
      case .comma:
        if let last = arena.last, last != UInt8(ascii: "{"), last != UInt8(ascii: "[") {
          arena.append(UInt8(ascii: ","))
        }
      case .mark(let mark): marks[Int(mark)] = arena.count
      case .landmarkBegin(let index):
        landmarks[Int(index)] = ByteRange(lower: arena.count, upper: arena.count)
      case .landmarkEnd(let index): landmarks[Int(index)].upper = UInt32(truncatingIfNeeded: arena.count)
      case .jump(let target): at = Int(target)
      case .unless(let index, let target): if try !values.result(index, message).isTrue { at = Int(target) }
      case .dropNull(let index, let mark, let target):
        if try values.result(index, message).kind == .null {
          drop(Int(mark), from: &arena)
          at = Int(target)
        }
      case .drop(let mark, let target):
        drop(Int(mark), from: &arena)
        at = Int(target)
      case .dropEmptyObject(let mark, let target):
        if arena.last == UInt8(ascii: "{") {
          drop(Int(mark), from: &arena)
          at = Int(target)
        }
      case .dropEmptyText(let mark, let value, let quotes, let target):
        if arena.count - marks[Int(value)] == Int(quotes), arena.last == UInt8(ascii: "\"") {
          drop(Int(mark), from: &arena)
          at = Int(target)
        }
      }
    }
  }

  /// A value that may be of any kind, as JSON.
  private mutating func value(
    _ index: Int32, level: Int, _ message: MessageContext, to arena: inout [UInt8]
  ) throws(PersonalFailure) {
    let result = try values.result(index, message)
    switch result.kind {
    case .null: Escaper.all[level].append(Array("null".utf8), to: &arena)
    case .json: Escaper.all[level].append(values.bytes, result.range, to: &arena)
    case .text:
      Escaper.all[level].append([UInt8(ascii: "\"")], to: &arena)
      Escaper.all[level + 1].append(values.bytes, result.range, to: &arena)
      Escaper.all[level].append([UInt8(ascii: "\"")], to: &arena)
    }
  }

  /// What was taken back holds no landmark that was ended: those of a value end behind the step that may drop it.
  private func drop(_ mark: Int, from arena: inout [UInt8]) { arena.removeSubrange(marks[mark]...) }
}
