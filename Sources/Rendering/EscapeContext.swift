internal import Base

/// Where a value stands in a payload, which decides how it is written.
struct EscapeContext: Sendable {
  /// Strings around the JSON that the value is a part of: 0 in the payload itself, 1 in JSON inside a string.
  var level = 0
  /// The innermost member's name.
  var name: String?
}

extension ProgramBuilder {
  mutating func append(_ bytes: [UInt8], depth: Int) {
    var escaped: [UInt8] = []
    Escaper.all[depth].append(bytes, to: &escaped)
    append(escaped)
  }

  /// The quote that begins or ends a string.
  mutating func quote(in context: EscapeContext) { append([UInt8(ascii: "\"")], depth: context.level) }

  /// The index of a value that the message decides, as it is written here.
  mutating func index(of dynamic: Dynamic, in context: EscapeContext) -> Int32 {
    index(of: dynamic.placed(in: context.name))
  }

  /// A value as text inside a string.
  mutating func write(_ value: Value, in context: EscapeContext) {
    let depth = context.level + 1
    switch value {
    case .data(.null), .encoded(.data(.null)), .list, .record: return
    case .data(.string(let text)): append(Array(text.utf8), depth: depth)
    case .data(let json), .encoded(.data(let json)): append(Array(json.text.utf8), depth: depth)
    case .timeToLive(let time), .encoded(.timeToLive(let time)):
      append(Array(time.text(in: context.name).utf8), depth: depth)
    case .dynamic(let dynamic): write(dynamic, depth: depth, in: context)
    case .encoded(.dynamic(let dynamic)) where dynamic.isText:
      append([UInt8(ascii: "\"")], depth: depth)
      write(dynamic, depth: depth + 1, in: context)
      append([UInt8(ascii: "\"")], depth: depth)
    case .encoded(let inner): write(.call(.json, [inner]), depth: depth, in: context)
    }
  }

  /// A value as a JSON value of its own type.
  mutating func writeBare(_ value: Value, in context: EscapeContext) {
    switch value {
    case .data(let json): append(Array(json.text.utf8), depth: context.level)
    case .timeToLive(let time):
      if time.isText(in: context.name) { quote(in: context) }
      append(Array(time.text(in: context.name).utf8), depth: context.level)
      if time.isText(in: context.name) { quote(in: context) }
    case .dynamic(let dynamic) where dynamic.isText:
      quote(in: context)
      write(dynamic, depth: context.level + 1, in: context)
      quote(in: context)
    case .dynamic(let dynamic):
      append(.value(index(of: dynamic, in: context), level: Int32(context.level)))
      last = nil
    case .encoded(let inner): writeBare(inner, in: context)
    case .list(let elements):
      append([UInt8(ascii: "[")])
      for (index, element) in elements.enumerated() {
        if index > 0 { append([UInt8(ascii: ",")]) }
        writeBare(element, in: context)
      }
      append([UInt8(ascii: "]")])
    // The parser lets no record be written.
    case .record: append(Array("null".utf8))
    }
  }

  private mutating func write(_ dynamic: Dynamic, depth: Int, in context: EscapeContext) {
    switch dynamic {
    case .token: append(.token(depth: Int32(depth)))
    case .uid: append(.uid)
    case .openLink: append(.openLink)
    case .ackLink: append(.ackLink)
    default: append(.text(index(of: dynamic, in: context), depth: Int32(depth)))
    }
    // Whatever follows is a quote, or text; never a bracket that a comma depends on.
    last = nil
  }
}
