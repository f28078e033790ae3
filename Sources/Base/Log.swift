/// Lines for people and programs on stderr. Never given a token, a secret or a credential's text.
public struct Log: Sendable {
  /// Lines for people, or one JSON object a line for programs.
  public enum Format: String, Sendable { case text, json }
  /// How much a line matters, ascending.
  public enum Level: Int, Sendable, Comparable {
    case debug, info, warning, error

    public static func < (a: Level, b: Level) -> Bool { a.rawValue < b.rawValue }

    var word: String {
      switch self {
      case .debug: "debug"
      case .info: "info"
      case .warning: "warning"
      case .error: "error"
      }
    }
  }

  private let format: Format
  private let least: Level
  /// Named values that every line carries: launch, lane.
  private let context: [Field]

  struct Field: Sendable {
    let name: String
    let text: String
    let isNumber: Bool
  }

  /// - Parameter least: what matters less isn't written, and its text isn't made.
  public init(format: Format = .text, least: Level = .info) { self.init(format: format, least: least, context: []) }

  private init(format: Format, least: Level, context: [Field]) {
    self.format = format
    self.least = least
    self.context = context
  }

  /// The same log with one more named text on every line.
  public func with(_ name: String, _ text: String) -> Log { with(Field(name: name, text: text, isNumber: false)) }

  /// The same log with one more named number on every line.
  public func with(_ name: String, _ number: some BinaryInteger) -> Log {
    with(Field(name: name, text: "\(number)", isNumber: true))
  }

  private func with(_ field: Field) -> Log { Log(format: format, least: least, context: context + [field]) }

  /// Writes a line for whoever looks for a fault.
  public func debug(_ message: @autoclosure () -> String) { write(.debug, message) }
  /// Writes a line about what goes as it should.
  public func info(_ message: @autoclosure () -> String) { write(.info, message) }
  /// Writes a line about what somebody should look at, though work goes on.
  public func warning(_ message: @autoclosure () -> String) { write(.warning, message) }
  /// Writes a line about what stopped something.
  public func error(_ message: @autoclosure () -> String) { write(.error, message) }

  private func write(_ level: Level, _ message: () -> String) {
    guard level >= least else { return }
    StandardError.write(line(level, message(), at: .now))
  }

  /// The line with its line end.
  func line(_ level: Level, _ text: String, at now: EpochMilliseconds) -> [UInt8] {
    var line: [UInt8] = []
    switch format {
    case .text:
      // A message that names its launch itself isn't told twice.
      let fields = context.map { "\($0.name) \($0.text)" }.filter { !Self.names($0, in: text) }
      let prefix = level == .info ? "" : "\(level.word): "
      let whole = "salvo: \(prefix)\(fields.isEmpty ? "" : fields.joined(separator: ", ") + ": ")\(text)"
      line.append(contentsOf: Self.tidy(whole).utf8)
    case .json:
      line.append(contentsOf: "{\"ts\":\(now.value),\"level\":".utf8)
      line.appendJSONString(level.word)
      for field in context {
        line.append(UInt8(ascii: ","))
        line.appendJSONString(field.name)
        line.append(UInt8(ascii: ":"))
        if field.isNumber { line.append(contentsOf: field.text.utf8) } else { line.appendJSONString(field.text) }
      }
      line.append(contentsOf: ",\"msg\":".utf8)
      line.appendJSONString(text)
      line.append(UInt8(ascii: "}"))
    }
    line.append(0x0A)
    return line
  }

  /// Whether the words stand in a text, ending where a word or a number ends.
  private static func names(_ words: String, in text: String) -> Bool {
    var rest = Substring(text)
    while let found = rest.firstRange(of: words) {
      guard let next = rest[found.upperBound...].first, next.isLetter || next.isNumber else { return true }
      rest = rest[found.upperBound...]
    }
    return false
  }

  /// One line whatever it holds: a provider's text may carry line breaks and control characters, those that a terminal
  /// obeys (U+0080…U+009F) among them.
  private static func tidy(_ text: String) -> String {
    text.unicodeScalars.map { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) ? " " : String($0) }.joined()
  }
}
