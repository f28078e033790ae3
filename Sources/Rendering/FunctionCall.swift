internal import Base

/// A function and operands whose values are all known: in the binder those of the launch, in the run those of one
/// message. Both come here, so a text means the same whoever writes it.
struct FunctionCall {
  private let function: Function
  private let operands: [Value]

  /// What one function may write at most: texts that double in a variable would fill the memory.
  static let longest = 1 << 18

  /// - Returns: null for what is made of nothing.
  /// - Throws: `EvaluationError` when an operand is of a kind the function can't take, or there is no such element.
  static func result(of function: Function, _ operands: [Value]) throws(EvaluationError) -> Value {
    try FunctionCall(function: function, operands: operands.map(\.plain)).result()
  }

  private func result() throws(EvaluationError) -> Value {
    switch function {
    case .not: return .data(.bool(operands[0].isTrue != true))
    case .json, .toJson: return .encoded(operands[0])
    case .eq, .ne:
      var isEqual = false
      for other in operands.dropFirst() where !isEqual {
        isEqual = try Comparison.areEqual(operands[0], other, function)
      }
      return .data(.bool(isEqual == (function == .eq)))
    case .lt, .le, .gt, .ge: return .data(.bool(try ordered()))
    case .len: return .data(.number(String(try length())))
    case .index: return try element()
    case .printf: return try written(try format().text(of: Array(operands.dropFirst())))
    case .upper: return try map { $0.uppercased() }
    case .lower: return try map { $0.lowercased() }
    case .title: return try map(TextFunctions.title)
    case .urlquery: return try map(TextFunctions.urlQuery)
    case .truncate: return try truncated()
    case .translit: return try map(NumberText.transliterated)
    case .date:
      guard let pattern = operands[0].text else { throw EvaluationError("date takes its pattern first, in quotes") }
      if operands[1].isNull { return .null }
      return try written(try DateText(pattern).text(of: operands[1], zone: operands[2].text, locale: operands[3].text))
    case .number: return try grouped()
    case .plural: return try plural()
    }
  }

  private func ordered() throws(EvaluationError) -> Bool {
    guard let order = try Comparison.order(operands[0], operands[1], function) else { return false }
    return switch function {
    case .lt: order < 0
    case .le: order <= 0
    case .gt: order > 0
    default: order >= 0
    }
  }

  /// Bytes of a text, as in Go; elements, members.
  private func length() throws(EvaluationError) -> Int {
    switch operands[0] {
    case .data(.null): return 0
    case .data(.string(let text)): return text.utf8.count
    case .data(.array(let elements)): return elements.count
    case .data(.object(let object)): return object.members.count
    case .list(let elements): return elements.count
    default: throw EvaluationError("len takes a text, a list or an object, here is \(operands[0].kind)")
    }
  }

  private func element() throws(EvaluationError) -> Value {
    var value = operands[0]
    for key in operands.dropFirst() {
      switch (value, key) {
      case (.data(.null), _): return .null
      case (.data(.object), .data(.string(let name))), (.record, .data(.string(let name))):
        value = value.member([name])
      case (.data(.array(let elements)), _):
        value = .data(elements[try Self.position(key, below: elements.count)])
      case (.list(let elements), _): value = elements[try Self.position(key, below: elements.count)]
      case (.data(.object), _), (.record, _):
        throw EvaluationError("index takes the name of a member in quotes, here is \(key.kind)")
      default: throw EvaluationError("index takes a list or an object, here is \(value.kind)")
      }
    }
    return value
  }

  private static func position(_ key: Value, below count: Int) throws(EvaluationError) -> Int {
    guard case .data(.number(let digits)) = key, let position = Int(digits) else {
      throw EvaluationError("index takes a whole number for a list, here is \(key.text ?? key.kind)")
    }
    guard (0..<count).contains(position) else {
      throw EvaluationError("index \(position) is out of range: the list has \(count)")
    }
    return position
  }

  private func format() throws(EvaluationError) -> Format {
    guard case .data(.string(let text)) = operands[0] else {
      throw EvaluationError("printf takes its format in quotes, here is \(operands[0].kind)")
    }
    return try Format(text)
  }

  /// A function of one text; nothing stays nothing, and a number is its digits.
  private func map(_ change: (String) -> String) throws(EvaluationError) -> Value {
    if operands[0].isNull { return .null }
    guard let text = operands[0].text else {
      throw EvaluationError("\(function.rawValue) takes a text, here is \(operands[0].kind)")
    }
    return try written(change(text))
  }

  private func written(_ text: String?) throws(EvaluationError) -> Value {
    guard let text else { return .null }
    guard text.utf8.count <= Self.longest else {
      throw EvaluationError("\(function.rawValue) would write more than \(Self.longest) bytes")
    }
    return .data(.string(text))
  }

  private func truncated() throws(EvaluationError) -> Value {
    guard case .data(.number(let digits)) = operands[0], let count = Int(digits), count >= 0 else {
      throw EvaluationError("truncate takes a whole number first, here is \(operands[0].text ?? operands[0].kind)")
    }
    let last = operands[operands.count - 1]
    if last.isNull { return .null }
    guard let text = last.text else { throw EvaluationError("truncate takes a text, here is \(last.kind)") }
    if operands.count == 2 { return .data(.string(String(text.prefix(count)))) }
    switch operands[1] {
    case .data(.string("characters")): return .data(.string(String(text.prefix(count))))
    case .data(.string("bytes")): return .data(.string(TextFunctions.prefix(of: text, bytes: count)))
    default:
      throw EvaluationError(
        "truncate counts \"characters\" or \"bytes\", not \(operands[1].text ?? operands[1].kind)")
    }
  }

  private func grouped() throws(EvaluationError) -> Value {
    let value = operands[operands.count - 2]
    if value.isNull { return .null }
    var decimals: Int?
    if operands.count == 3 {
      guard case .data(.number(let digits)) = operands[0], let places = Int(digits), (0...20).contains(places) else {
        throw EvaluationError("number takes the decimal places first, 0 to 20")
      }
      decimals = places
    }
    let digits = try digits(of: value)
    guard let text = NumberText.grouped(digits, decimals: decimals, locale: operands[operands.count - 1].text) else {
      throw EvaluationError("number can't write out \(digits)")
    }
    return .data(.string(text))
  }

  private func plural() throws(EvaluationError) -> Value {
    let forms = operands.count - 1
    if operands[forms].isNull { return .null }
    let digits = try digits(of: operands[forms])
    guard let form = NumberText.form(digits, of: forms) else {
      throw EvaluationError("plural can't read \(digits)")
    }
    guard let text = operands[form].text else { throw EvaluationError("plural takes its words in quotes") }
    return .data(.string(text))
  }

  /// A number's digits; a text that is one counts.
  private func digits(of value: Value) throws(EvaluationError) -> String {
    switch value {
    case .data(.number(let digits)): return digits
    case .data(.string(let text)):
      if let number = try? JSONScanner.parse(Array(text.utf8)), case .number(let digits) = number { return digits }
      throw EvaluationError("\(function.rawValue) takes a number, not this text")
    default: throw EvaluationError("\(function.rawValue) takes a number, here is \(value.kind)")
    }
  }
}
