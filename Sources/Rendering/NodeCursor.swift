/// Walks a body's literal text byte by byte and its actions as wholes.
struct NodeCursor {
  enum Peek {
    case byte(UInt8)
    case node(Node)
    case end
  }

  private let nodes: [Node]
  /// Where the body ends in the source.
  let end: Int
  private var node = 0
  private var index = 0
  /// Variables set since they were last taken.
  private var assignments: [Assignment] = []

  init(_ nodes: [Node], end: Int) {
    self.nodes = nodes
    self.end = end
  }

  var peek: Peek {
    guard node < nodes.count else { return .end }
    if case .text(let run) = nodes[node] { return .byte(run.bytes[index]) }
    return .node(nodes[node])
  }

  /// The byte here, nil at an action or the end.
  var byte: UInt8? { if case .byte(let byte) = peek { byte } else { nil } }

  /// Where the next thing stands in the source.
  var offset: Int {
    guard node < nodes.count else { return end }
    switch nodes[node] {
    case .text(let run): return run.offsets[index]
    case .action(_, let offset): return offset
    case .choice(let choice): return choice.offset
    case .loop(let loop): return loop.offset
    case .set: return end
    }
  }

  mutating func skip() {
    if case .text(let run) = nodes[node], index + 1 < run.bytes.count {
      index += 1
    } else {
      node += 1
      index = 0
    }
  }

  /// Past white space; assignments on the way are kept for `takeAssignments`.
  mutating func skipSpace() {
    while true {
      switch peek {
      case .byte(let byte) where Lexer.isSpace(byte): skip()
      case .node(.set(let assignment)):
        assignments.append(assignment)
        skip()
      default: return
      }
    }
  }

  mutating func takeAssignments() -> [Assignment] {
    defer { assignments = [] }
    return assignments
  }
}
