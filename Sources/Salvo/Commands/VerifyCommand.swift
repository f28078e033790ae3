import Pipeline
import Store

struct VerifyCommand: Command {
  static let spec = CommandSpec(
    words: ["verify"], operands: "LAUNCH", operandCount: 1...1,
    summary: "checks the books of a launch, one line a rule; exit 70 when one is broken", options: [])

  private let settings: ProcessSettings
  private let launch: Int64

  init(_ arguments: Arguments) throws {
    settings = try ProcessSettings(arguments)
    launch = try arguments.id(0, "LAUNCH")
  }

  func run() async throws -> Int32 {
    let findings = try await LaunchAudit(settings.database()).check(launch)
    for finding in findings {
      let example = finding.example.map { ", such as \($0)" } ?? ""
      print(
        finding.violations == 0
          ? "right  \(finding.rule)" : "WRONG  \(finding.rule): broken \(finding.violations) times\(example)")
    }
    return findings.allSatisfy { $0.violations == 0 } ? 0 : RunError.Code.internal.rawValue
  }
}
