internal import Base

/// Reads a parsed template as JSON with holes.
///
/// A branch (`if`, `else`, `range`) is read in the grammar of the place where it stands and must end there: it closes
/// what it opens and nothing else; where one value is due, every branch gives exactly one. So whichever branches
/// apply, the structure is JSON.
struct PayloadParser {
  private let source: SourceText
  private var depth = 0
  /// Strings around what is being read.
  private var level = 0
  /// Each level doubles the backslashes before a quote; no format nests further than two.
  static let deepestLevel = 8
  private static let deepest = 200

  private init(_ source: SourceText) { self.source = source }

  static func parse(_ template: Template) throws(TemplateError) -> Payload {
    var parser = PayloadParser(template.source)
    let root = try parser.whole(template.nodes, end: template.source.bytes.count, "the template")
    if let offset = parser.notContainer(root.value) {
      throw template.source.error(at: offset ?? 0, "a payload is an object: '{' was expected")
    }
    return Payload(template: template, root: root)
  }

  /// For a root that is neither object nor array: where, if that is known.
  private func notContainer(_ value: PayloadValue) -> Int?? {
    switch value {
    case .object, .array: return nil
    case .choice(let choice):
      let bodies = choice.arms.map(\.body) + (choice.otherwise.map { [$0] } ?? [])
      return bodies.contains { notContainer($0.value) != nil } ? .some(choice.offset) : nil
    case .action(.path(_, _, let offset), _): return .some(offset)
    default: return .some(nil)
    }
  }

  /// A body that is exactly one value.
  private mutating func whole(_ nodes: [Node], end: Int, _ what: String) throws(TemplateError) -> ValueBody {
    var cursor = NodeCursor(nodes, end: end)
    cursor.skipSpace()
    let before = cursor.takeAssignments()
    let value = try value(&cursor)
    cursor.skipSpace()
    guard case .end = cursor.peek else {
      throw source.error(at: cursor.offset, "\(what) must end with its one value, this is more")
    }
    return ValueBody(before: before, value: value, after: cursor.takeAssignments())
  }

  private mutating func value(_ cursor: inout NodeCursor) throws(TemplateError) -> PayloadValue {
    cursor.skipSpace()
    let offset = cursor.offset
    switch cursor.peek {
    case .byte(UInt8(ascii: "{")): return .object(try container(&cursor, isObject: true))
    case .byte(UInt8(ascii: "[")): return .array(try container(&cursor, isObject: false))
    case .byte(UInt8(ascii: "\"")): return try string(&cursor)
    case .byte: return .scalar(try scalar(&cursor))
    case .node(.action(let expression, _)):
      cursor.skip()
      try endsValue(cursor)
      return .action(expression, isQuoted: false)
    case .node(.choice(let choice)):
      cursor.skip()
      guard choice.otherwise != nil else {
        throw source.error(
          at: choice.offset,
          "without an 'else' there is no value here: the branch ends after a value, at \(source.place(of: choice.end)) "
            + "one is still due")
      }
      return .choice(try choice.map { (nodes, end) throws(TemplateError) in try whole(nodes, end: end, "a branch") })
    case .node(.loop(let loop)):
      throw source.error(at: loop.offset, "one value is due here, a range may give none or several")
    case .node: throw source.error(at: offset, "a value was expected")
    case .end: throw source.error(at: offset, "a value was expected")
    }
  }

  /// A bare action is the whole value: nothing may be glued to it.
  private func endsValue(_ cursor: NodeCursor) throws(TemplateError) {
    switch cursor.peek {
    case .end, .node(.set): return
    case .node(.choice), .node(.loop): return
    case .byte(let byte)
    where Lexer.isSpace(byte) || [UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]")].contains(byte):
      return
    case .byte, .node: throw source.error(at: cursor.offset, "a bare value is one action alone; put both in quotes")
    }
  }

  private mutating func scalar(_ cursor: inout NodeCursor) throws(TemplateError) -> [UInt8] {
    let offset = cursor.offset
    var bytes: [UInt8] = []
    while let byte = cursor.byte, !Lexer.isSpace(byte), !Array(",:{}[]\"".utf8).contains(byte) {
      bytes.append(byte)
      cursor.skip()
    }
    guard !bytes.isEmpty, let value = try? JSONScanner.parse(bytes) else {
      let found = bytes.isEmpty ? "" : ", '\(String(decoding: bytes, as: UTF8.self))' is none"
      throw source.error(at: offset, "a value was expected\(found): \", {, [, a number, true, false, null or an action")
    }
    if case .node(.action) = cursor.peek {
      throw source.error(at: cursor.offset, "a bare value is one action alone; put both in quotes")
    }
    return Array(value.text.utf8)
  }

  private mutating func container(_ cursor: inout NodeCursor, isObject: Bool) throws(TemplateError) -> [Item] {
    depth += 1
    defer { depth -= 1 }
    let open = cursor.offset
    if depth > Self.deepest { throw source.error(at: open, "more than \(Self.deepest) levels of brackets") }
    cursor.skip()
    let items = try items(&cursor, isObject: isObject, open: open)
    cursor.skip()
    return items
  }

  /// Up to the closing bracket of the container opened at `open`; with `open` nil, up to the branch's end.
  private mutating func items(_ cursor: inout NodeCursor, isObject: Bool, open: Int?) throws(TemplateError) -> [Item] {
    let closing = UInt8(ascii: isObject ? "}" : "]")
    var items: [Item] = []
    while true {
      cursor.skipSpace()
      items += cursor.takeAssignments().map { .set($0) }
      let offset = cursor.offset
      switch cursor.peek {
      case .byte(UInt8(ascii: ",")):
        items.append(.comma(offset))
        cursor.skip()
      case .byte(closing) where open != nil: return items
      case .byte(UInt8(ascii: "}")), .byte(UInt8(ascii: "]")):
        guard let open else { return items }
        throw source.error(
          at: offset, "'\(isObject ? "}" : "]")' was expected, for the bracket at \(source.place(of: open))")
      case .end:
        guard let open else { return items }
        throw source.error(
          at: offset, "the '\(isObject ? "{" : "[")' at \(source.place(of: open)) is not closed where this part ends")
      case .node(.choice(let choice)):
        cursor.skip()
        items.append(
          .choice(
            try choice.map { (nodes, end) throws(TemplateError) in
              try branch(nodes, from: choice.offset, to: end, isObject: isObject)
            }))
      case .node(.loop(let loop)):
        cursor.skip()
        items.append(
          .loop(
            try loop.map { (nodes, end) throws(TemplateError) in
              try branch(nodes, from: loop.offset, to: end, isObject: isObject)
            }))
      case .byte, .node:
        if isObject {
          items += try member(&cursor)
        } else {
          let element = try value(&cursor)
          items += cursor.takeAssignments().map { .set($0) }
          items.append(.element(element, offset: offset))
        }
      }
    }
  }

  private mutating func branch(
    _ nodes: [Node], from start: Int, to end: Int, isObject: Bool
  ) throws(TemplateError) -> [Item] {
    var cursor = NodeCursor(nodes, end: end)
    let items = try items(&cursor, isObject: isObject, open: nil)
    guard case .end = cursor.peek else {
      throw source.error(
        at: cursor.offset,
        "this closes a bracket that its branch, which began at \(source.place(of: start)), did not open")
    }
    return items
  }

  private mutating func member(_ cursor: inout NodeCursor) throws(TemplateError) -> [Item] {
    let offset = cursor.offset
    if case .node = cursor.peek { throw source.error(at: offset, "a key must be written out, an action can't be one") }
    guard cursor.byte == UInt8(ascii: "\"") else { throw source.error(at: offset, "a key in quotes was expected") }
    let content = try StringContent.read(&cursor, source)
    guard let key = content.literal else {
      throw source.error(at: content.firstAction ?? offset, "a key must be written out, an action can't be in it")
    }
    cursor.skipSpace()
    guard cursor.byte == UInt8(ascii: ":") else {
      throw source.error(at: cursor.offset, "':' was expected after the key")
    }
    cursor.skip()
    let value = try value(&cursor)
    return cursor.takeAssignments().map { .set($0) }
      + [.member(key: String(decoding: key, as: UTF8.self), value, offset: offset)]
  }

  private mutating func string(_ cursor: inout NodeCursor) throws(TemplateError) -> PayloadValue {
    let offset = cursor.offset
    let content = try StringContent.read(&cursor, source)
    if let alone = content.alone { return .action(alone, isQuoted: true) }
    return try string(content, offset)
  }

  private mutating func string(_ content: StringContent, _ offset: Int) throws(TemplateError) -> PayloadValue {
    if let choice = content.choiceOfJSON {
      return .choice(
        try choice.map { (nodes, end) throws(TemplateError) in
          ValueBody(value: try string(StringContent(nodes: nodes, end: end), offset))
        })
    }
    guard content.isMeantAsJSON else { return .text(content.nodes) }
    level += 1
    defer { level -= 1 }
    guard level < Self.deepestLevel else {
      throw source.error(at: offset, "JSON in a string more than \(Self.deepestLevel) times")
    }
    do {
      return .nested(try whole(content.nodes, end: content.end, "the JSON in this string"))
    } catch {
      if content.literal != nil { return .text(content.nodes) }
      throw error
    }
  }
}
