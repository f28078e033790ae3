internal import Base

/// What stands between the quotes of a string in a template, its escapes undone.
///
/// **JSON in a string.** A string is read as JSON itself, to any depth, when
/// 1. its text begins with `{` or `[` and ends with the bracket that closes it, white space aside;
/// 2. structure follows the bracket: after `{` a `"` or `}`, after `[` one of `{` `[` `"` `]`. Where an `if` or a
///    `range` follows, one of its branches begins so (commas aside).
///
/// Then its holes are escaped once more. A string that meets both but does not parse is refused when it has holes,
/// because the app would fail on it silently; without holes it is plain text. A string that is one `if` and nothing
/// else is read branch by branch. By rule 2 an array of nothing but bare
/// actions, `[{{.Title}}]`, is text: people write that, and no format holds such an array.
struct StringContent {
  let nodes: [Node]
  /// Where the closing quote stands.
  let end: Int

  /// From the opening quote past the closing one.
  static func read(_ cursor: inout NodeCursor, _ source: SourceText) throws(TemplateError) -> StringContent {
    let open = cursor.offset
    cursor.skip()
    var nodes: [Node] = []
    try unescape(&cursor, source, open: open, isBranch: false, into: &nodes)
    let end = cursor.offset
    cursor.skip()
    return StringContent(nodes: nodes, end: end)
  }

  /// Reads up to the closing quote, in a branch up to its end.
  private static func unescape(
    _ cursor: inout NodeCursor, _ source: SourceText, open: Int, isBranch: Bool, into nodes: inout [Node]
  ) throws(TemplateError) {
    var run = TextRun()
    func flush(_ nodes: inout [Node]) {
      if !run.bytes.isEmpty { nodes.append(.text(run)) }
      run = TextRun()
    }
    func branch(_ body: [Node], _ end: Int) throws(TemplateError) -> [Node] {
      var inner = NodeCursor(body, end: end)
      var unescaped: [Node] = []
      try unescape(&inner, source, open: open, isBranch: true, into: &unescaped)
      return unescaped
    }
    while true {
      let offset = cursor.offset
      switch cursor.peek {
      case .byte(UInt8(ascii: "\"")):
        if isBranch {
          throw source.error(
            at: offset,
            "this branch ends the string that began at \(source.place(of: open)) outside of it; "
              + "every branch must end in the string")
        }
        flush(&nodes)
        return
      case .byte(UInt8(ascii: "\\")): try escape(&cursor, source, into: &run)
      case .byte(let byte):
        if byte < 0x20 { throw source.error(at: offset, "a control character must be escaped in a string") }
        run.bytes.append(byte)
        run.offsets.append(offset)
        cursor.skip()
      case .end:
        if isBranch {
          flush(&nodes)
          return
        }
        throw source.error(at: offset, "the string that began at \(source.place(of: open)) is not closed here")
      case .node(let node):
        flush(&nodes)
        cursor.skip()
        switch node {
        case .choice(let choice): nodes.append(.choice(try choice.map(branch)))
        case .loop(let loop): nodes.append(.loop(try loop.map(branch)))
        case .action, .set, .text: nodes.append(node)
        }
      }
    }
  }

  private static func escape(
    _ cursor: inout NodeCursor, _ source: SourceText, into run: inout TextRun
  ) throws(TemplateError) {
    let offset = cursor.offset
    // The scanner knows the escapes, surrogate pairs included: it is given one, and the next while it asks for more.
    var text: [UInt8] = []
    while cursor.byte == UInt8(ascii: "\\") {
      text.append(UInt8(ascii: "\\"))
      cursor.skip()
      let letter = cursor.byte
      for _ in 0..<(letter == UInt8(ascii: "u") ? 5 : 1) {
        guard let byte = cursor.byte else { throw source.error(at: offset, "the escape is cut short") }
        text.append(byte)
        cursor.skip()
      }
      if case .string(let decoded)? = try? JSONScanner.parse([0x22] + text + [0x22]) {
        run.bytes += decoded.utf8
        run.offsets += [Int](repeating: offset, count: decoded.utf8.count)
        return
      }
      guard letter == UInt8(ascii: "u"), text.count == 6 else { break }
    }
    throw source.error(at: offset, "JSON has no such escape")
  }

  /// The text, if there are no actions in it.
  var literal: [UInt8]? {
    var text: [UInt8] = []
    for node in nodes {
      guard case .text(let run) = node else { return nil }
      text += run.bytes
    }
    return text
  }

  /// The action, if it is all there is.
  var alone: Expression? {
    if nodes.count == 1, case .action(let expression, _) = nodes[0] { expression } else { nil }
  }

  var firstAction: Int? {
    for node in nodes {
      switch node {
      case .action(_, let offset): return offset
      case .choice(let choice): return choice.offset
      case .loop(let loop): return loop.offset
      case .text, .set: continue
      }
    }
    return nil
  }

  /// The `if` that is all there is, when one of its branches is JSON: each branch is then a string of its own.
  var choiceOfJSON: Choice<[Node]>? {
    guard nodes.count == 1, case .choice(let choice) = nodes[0] else { return nil }
    let bodies = choice.arms.map(\.body) + (choice.otherwise.map { [$0] } ?? [])
    let isJSON = bodies.contains { nodes in
      let content = StringContent(nodes: nodes, end: end)
      return content.isMeantAsJSON || content.choiceOfJSON != nil
    }
    // Without an else the string is empty.
    return isJSON
      ? Choice(
        arms: choice.arms, otherwise: choice.otherwise ?? [], outerSlots: choice.outerSlots, offset: choice.offset,
        end: choice.end) : nil
  }

  /// Rules 1 and 2 above.
  var isMeantAsJSON: Bool {
    let nodes = nodes.filter { if case .set = $0 { false } else { true } }
    guard case .text(let first)? = nodes.first, case .text(let last)? = nodes.last,
      let opening = first.bytes.firstIndex(where: { !Lexer.isSpace($0) }),
      let closing = last.bytes.last(where: { !Lexer.isSpace($0) })
    else { return false }
    let rest = TextRun(bytes: Array(first.bytes[(opening + 1)...]), offsets: Array(first.offsets[(opening + 1)...]))
    let inside = [.text(rest)] + nodes.dropFirst()
    switch (first.bytes[opening], closing) {
    case (UInt8(ascii: "{"), UInt8(ascii: "}")): return Self.begins(inside, with: "\"}") == true
    case (UInt8(ascii: "["), UInt8(ascii: "]")): return Self.begins(inside, with: "{[\"]") == true
    default: return false
    }
  }

  /// Whether the first thing in `nodes`, white space and commas aside, is one of `structure`; nil when there is none.
  private static func begins(_ nodes: [Node], with structure: String) -> Bool? {
    for node in nodes {
      switch node {
      case .text(let run):
        if let byte = run.bytes.first(where: { !Lexer.isSpace($0) && $0 != UInt8(ascii: ",") }) {
          return structure.utf8.contains(byte)
        }
      case .set: continue
      case .action: return false
      case .choice(let choice):
        let bodies = choice.arms.map(\.body) + (choice.otherwise.map { [$0] } ?? [])
        let answers = bodies.compactMap { begins($0, with: structure) }
        if !answers.isEmpty { return answers.contains(true) }
      case .loop(let loop):
        let answers = ([loop.body] + (loop.otherwise.map { [$0] } ?? [])).compactMap { begins($0, with: structure) }
        if !answers.isEmpty { return answers.contains(true) }
      }
    }
    return nil
  }
}
