/// Lines for people and programs on stderr. Never given a token, a secret or a credential's text.
public struct Log: Sendable {
  public enum Format: String, Sendable { case text, json }
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
  private let context: [(String, String)]

  public init(format: Format = .text, least: Level = .info, context: [(String, String)] = []) {
    self.format = format
    self.least = least
    self.context = context
  }

  /// The same log with one more named value on every line.
  public func with(_ name: String, _ value: some CustomStringConvertible) -> Log {
    Log(format: format, least: least, context: context + [(name, value.description)])
  }

  public func debug(_ message: @autoclosure () -> String) { write(.debug, message) }
  public func info(_ message: @autoclosure () -> String) { write(.info, message) }
  public func warning(_ message: @autoclosure () -> String) { write(.warning, message) }
  public func error(_ message: @autoclosure () -> String) { write(.error, message) }

  private func write(_ level: Level, _ message: () -> String) {
    guard level >= least else { return }
    var line: [UInt8] = []
    switch format {
    case .text:
      let fields = context.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
      let prefix = level == .info ? "" : "\(level.word): "
      // One line whatever the message holds: a provider's text may carry line breaks and control characters.
      let text = message().unicodeScalars.map { $0.value < 0x20 ? " " : String($0) }.joined()
      line.append(contentsOf: "salvo: \(prefix)\(fields.isEmpty ? "" : fields + ": ")\(text)".utf8)
    case .json:
      line.append(contentsOf: "{\"ts\":\(EpochMilliseconds.now.value),\"level\":".utf8)
      line.appendJSONString(level.word)
      for (name, value) in context {
        line.append(UInt8(ascii: ","))
        line.appendJSONString(name)
        line.append(UInt8(ascii: ":"))
        line.appendJSONString(value)
      }
      line.append(contentsOf: ",\"msg\":".utf8)
      line.appendJSONString(message())
      line.append(UInt8(ascii: "}"))
    }
    line.append(0x0A)
    StandardError.write(line)
  }
}
