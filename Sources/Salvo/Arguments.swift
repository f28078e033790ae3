/// What a command takes: shown by `--help`, checked when words are read.
struct CommandSpec: Sendable {
  struct Option: Sendable {
    /// `--channel`
    let name: String
    /// What stands for its value in the help; nil for a switch.
    let value: String?
    let help: String
    var isRepeatable = false
  }

  let words: [String]
  /// `LAUNCH`, `TEXT…`
  let operands: String
  /// How many operands it takes.
  let operandCount: ClosedRange<Int>
  let summary: String
  let options: [Option]
  var usesDatabase = true

  /// Options of every command that talks to the database.
  static let database: [Option] = [
    Option(
      name: "--database", value: "CONNINFO", help: "PostgreSQL, keywords or URI; without it what PG* variables say"),
    Option(name: "--db-connections", value: "N", help: "data connections of the process (3)"),
  ]

  /// Options that every command knows.
  static let common: [Option] = [
    Option(name: "--log", value: "text|json", help: "form of the lines on stderr (text)"),
    Option(name: "--help", value: nil, help: "this text"),
  ]

  var allOptions: [Option] { options + (usesDatabase ? Self.database : []) + Self.common }

  /// `salvo launch create`
  var name: String { (["salvo"] + words).joined(separator: " ") }
}

/// Wrong words on the command line: exit 64.
struct UsageError: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}

/// The words after the command, read against its spec.
struct Arguments: Sendable {
  let operands: [String]
  private let values: [String: [String]]
  private let spec: CommandSpec

  /// - Throws: `UsageError` naming the word that is wrong.
  init(_ words: [String], spec: CommandSpec) throws(UsageError) {
    self.spec = spec
    var operands: [String] = []
    var values: [String: [String]] = [:]
    var rest = words[...]
    var onlyOperands = false
    while let given = rest.popFirst() {
      let word = given == "-h" && !onlyOperands ? "--help" : given
      // A single dash is stdin.
      guard word.hasPrefix("-"), word != "-", !onlyOperands else {
        operands.append(word)
        continue
      }
      if word == "--" {
        onlyOperands = true
        continue
      }
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard let option = spec.allOptions.first(where: { $0.name == parts[0] }) else {
        throw UsageError("there is no option \(parts[0]); \(spec.name) --help lists them")
      }
      if option.value == nil {
        guard parts.count == 1 else { throw UsageError("\(option.name) takes no value") }
        values[option.name, default: []].append("")
      } else if let value = parts.count == 2 ? parts[1] : rest.popFirst() {
        guard option.isRepeatable || values[option.name] == nil else {
          throw UsageError("\(option.name) is given twice")
        }
        values[option.name, default: []].append(value)
      } else {
        throw UsageError("\(option.name) needs a value: \(option.value ?? "")")
      }
    }
    guard values["--help"] != nil || spec.operandCount.contains(operands.count) else {
      let wanted = spec.operands.isEmpty ? "takes options only" : "takes \(spec.operands)"
      let found = operands.isEmpty ? "nothing" : operands.joined(separator: " ")
      throw UsageError("\(spec.name) \(wanted), given is \(found); \(spec.name) --help tells more")
    }
    self.operands = operands
    self.values = values
  }

  func has(_ name: String) -> Bool { values[name] != nil }
  func text(_ name: String) -> String? { values[name]?.first }
  func texts(_ name: String) -> [String] { values[name] ?? [] }

  /// - Throws: `UsageError` when it isn't a whole number in the range.
  func int(_ name: String, in range: ClosedRange<Int64>) throws(UsageError) -> Int64? {
    guard let text = text(name) else { return nil }
    return try Self.int(text, name, in: range)
  }

  func ints(_ name: String, in range: ClosedRange<Int64>) throws(UsageError) -> [Int64] {
    var numbers: [Int64] = []
    for text in texts(name) { numbers.append(try Self.int(text, name, in: range)) }
    return numbers
  }

  /// The operand as an id.
  func id(_ index: Int, _ what: String) throws(UsageError) -> Int64 {
    try Self.int(operands[index], what, in: 1...Int64.max)
  }

  private static func int(_ text: String, _ name: String, in range: ClosedRange<Int64>) throws(UsageError) -> Int64 {
    guard let value = Int64(text), range.contains(value) else {
      throw UsageError(
        range.upperBound == .max
          ? "\(name) must be a whole number from \(range.lowerBound), not \"\(text)\""
          : "\(name) must be a whole number from \(range.lowerBound) to \(range.upperBound), not \"\(text)\"")
    }
    return value
  }
}
