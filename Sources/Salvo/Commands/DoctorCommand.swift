import Base
import Glibc
import Pipeline
import Report

struct DoctorCommand: Command {
  static let spec = CommandSpec(
    words: ["doctor"], operands: "", operandCount: 0...0,
    summary: "looks at all that a run needs and says what to do; exit code by the worst",
    options: [
      .init(name: "--credentials", value: "DIR", help: "folder of credential files (SALVO_CREDENTIALS)"),
      .init(name: "--ca-file", value: "FILE", help: "PEM file, trusted besides the system's (SALVO_CA_FILE)"),
      .init(name: "--state", value: "DIR", help: "folder for results (SALVO_STATE, STATE_DIRECTORY)"),
      .init(name: "--json", value: nil, help: "one JSON object with all findings"),
    ])

  private let process: ProcessSettings
  private let settings: LaunchRun.Settings
  private let isJSON: Bool

  init(_ arguments: Arguments) throws {
    process = try ProcessSettings(arguments)
    settings = try LaunchRun.Settings(arguments)
    isJSON = arguments.has("--json")
  }

  func run() async throws -> Int32 {
    var doctor = Doctor(process, settings)
    await doctor.examine()
    if isJSON {
      print(Self.json(doctor))
    } else {
      let paint = isatty(1) == 1 ? Terminal.paint : Paint(isOn: false)
      for finding in doctor.findings { print(Self.line(finding, paint)) }
    }
    return doctor.exitCode
  }

  private static func line(_ finding: Doctor.Finding, _ paint: Paint) -> String {
    let (word, colour): (String, Paint.Colour) =
      switch finding.level {
      case .right: ("right  ", .green)
      case .warning: ("look   ", .yellow)
      case .wrong: ("WRONG  ", .red)
      }
    let advice = finding.advice.map { "; \($0)" } ?? ""
    return "\(paint(word, colour))\(finding.check): \(finding.text)\(advice)"
  }

  private static func json(_ doctor: Doctor) -> String {
    let findings = doctor.findings.map { finding in
      var object = JSONObject()
      object.set("check", .string(finding.check))
      object.set("level", .string(finding.level.rawValue))
      object.set("text", .string(finding.text))
      object.set("advice", finding.advice.map { .string($0) } ?? .null)
      object.set("exit_code", .number("\(finding.code)"))
      return JSON.object(object)
    }
    return JSON.object(
      JSONObject([
        .init(key: "exit_code", value: .number("\(doctor.exitCode)")), .init(key: "findings", value: .array(findings)),
      ])
    ).text
  }
}
