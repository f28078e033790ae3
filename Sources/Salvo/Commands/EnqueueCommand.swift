import Base
import Campaign
import Pipeline
import Store

struct EnqueueCommand: Command {
  static let spec = CommandSpec(
    words: ["enqueue"], operands: "LAUNCH", operandCount: 0...1,
    summary: "has a worker, or run --due, do something with a launch; prints the job's id",
    options: [
      .init(
        name: "--kind", value: "KIND",
        help: "run_launch (the default), retry, audience, pause …; maintain needs no LAUNCH"),
      .init(name: "--args", value: "JSON", help: #"as retry needs them: {"outcome":["unknown"]}"#),
      .init(name: "--at", value: "TIME", help: "not before: 2026-12-24 18:00+01"),
      .init(name: "--key", value: "KEY", help: "there is one job with it, however often this is said"),
      .init(name: "--priority", value: "N", help: "higher ones are done first (0)"),
    ])

  private let settings: ProcessSettings
  private let launch: Int64?
  private let kind: Job.Kind
  private let args: JSON
  private let at: String?
  private let key: String?
  private let priority: Int32

  init(_ arguments: Arguments) throws {
    settings = try ProcessSettings(arguments)
    launch = arguments.operands.isEmpty ? nil : try arguments.id(0, "LAUNCH")
    let word = arguments.text("--kind") ?? Job.Kind.runLaunch.rawValue
    guard let kind = Job.Kind(rawValue: word) else {
      throw UsageError("--kind is \(Job.Kind.allCases.map(\.rawValue).joined(separator: ", ")), not \"\(word)\"")
    }
    guard launch != nil || kind == .maintain else { throw UsageError("LAUNCH is needed for \(word)") }
    self.kind = kind
    do {
      args = try JSONScanner.parse(Array((arguments.text("--args") ?? "{}").utf8))
    } catch {
      throw UsageError("--args: \(error)")
    }
    at = arguments.text("--at")
    key = arguments.text("--key")
    priority = Int32(try arguments.int("--priority", in: -1_000_000...1_000_000) ?? 0)
  }

  func run() async throws -> Int32 {
    do {
      _ = try Job(kind, args: args)
    } catch {
      throw RunError(.content, "\(error)")
    }
    let jobs = JobStore(try await settings.migratedDatabase(), owner: RunnerName.make())
    let job = try await jobs.enqueue(kind, launch: launch, args: args, at: at, key: key, priority: priority)
    if job.wasThere { settings.log.info("there is a job with this key already") }
    print(job.id)
    return 0
  }
}
