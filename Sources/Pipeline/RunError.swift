/// Why a run can't begin or go on.
public struct RunError: Error, Sendable, CustomStringConvertible {
  /// The process's exit code, as sysexits.h numbers them.
  public enum Code: Int32, Sendable {
    case usage = 64
    case content = 65
    case notFound = 66
    case laneStopped = 69
    case `internal` = 70
    case cannotWrite = 73
    case again = 75
    case credential = 77
    case configuration = 78
  }
  /// What the process exits with.
  public let code: Code
  /// One line: what happened, where, what to do.
  public let description: String

  /// - Parameter description: one line: what happened, where, what to do.
  public init(_ code: Code, _ description: String) {
    self.code = code
    self.description = description
  }
}
