import Base
import Glibc
import Monitor
import Pipeline
import Postgres
import Store

/// Arguments → settings → wiring → exit code.
@main
enum Main {
  static let commands: [any Command.Type] = [
    MigrateCommand.self, LaunchCreateCommand.self, LaunchListCommand.self, LaunchCloneCommand.self,
    AudienceCommand.self, CheckCommand.self, PreviewCommand.self, SendTestCommand.self, RunCommand.self,
    WorkerCommand.self, EnqueueCommand.self,
    StatusCommand.self,
    ReportCommand.self, PauseCommand.self, ResumeCommand.self, CancelCommand.self, RetryCommand.self,
    VerifyCommand.self, MaintainCommand.self, DecodeCommand.self, TemplateListCommand.self, TemplateShowCommand.self,
    TemplateCheckCommand.self, DoctorCommand.self, CompletionsCommand.self, ManCommand.self,
  ]

  /// Synchronous, because the runtime of an async one has started threads before its first line.
  static func main() {
    signal(SIGPIPE, SIG_IGN)
    Memory.mapBlocks(from: 65_536)
    Signals.takeOver()
    // Detached: this thread only waits, and nothing may be bound to it.
    Task.detached { await run() }
    while true { pause() }
  }

  private static func run() async {
    var words = Array(CommandLine.arguments.dropFirst())
    let log = Log(format: logFormat(of: words))
    guard let first = words.first else {
      var text = Help.overview(commands) + "\n"
      text.withUTF8 { _ = write(2, $0.baseAddress, $0.count) }
      exit(RunError.Code.usage.rawValue)
    }
    if ["--help", "-h", "help"].contains(first) {
      print(Help.overview(commands))
      exit(0)
    }
    if first == "--version" {
      print("salvo \(Version.text)")
      exit(0)
    }
    guard let command = commands.first(where: { words.starts(with: $0.spec.words) }) else {
      let group = commands.filter { $0.spec.words[0] == first }
      if !group.isEmpty, words.count > 1, ["--help", "-h"].contains(words[1]) {
        print(Help.group(first, group))
        exit(0)
      }
      let given = words.prefix(group.isEmpty ? 1 : 2).joined(separator: " ")
      fail(
        UsageError("there is no command \"\(given)\"; salvo \(group.isEmpty ? "" : first + " ")--help lists them"), log)
    }
    words.removeFirst(command.spec.words.count)
    do {
      let arguments = try Arguments(words, spec: command.spec)
      if arguments.has("--help") {
        print(Help.text(command.spec))
        exit(0)
      }
      _ = try arguments.logFormat()
      exit(try await command.init(arguments).run())
    } catch {
      fail(error, log)
    }
  }

  /// Looked for before anything else, so that a complaint about the other words has the form too.
  private static func logFormat(of words: [String]) -> Log.Format {
    let isJSON =
      words.contains("--log=json") || zip(words, words.dropFirst()).contains { $0 == "--log" && $1 == "json" }
    return isJSON ? .json : .text
  }

  private static func fail(_ error: any Error, _ log: Log) -> Never {
    let failure = Failure(error)
    log.error(failure.text)
    exit(failure.exitCode)
  }
}

/// One line on stderr, and the exit code.
struct Failure {
  let exitCode: Int32
  let text: String

  init(_ error: any Error) {
    switch error {
    case let error as UsageError: (exitCode, text) = (RunError.Code.usage.rawValue, error.description)
    case let error as RunError: (exitCode, text) = (error.code.rawValue, error.description)
    case let error as StoreError: (exitCode, text) = (error.exitCode, error.description)
    case let error as ListenError: (exitCode, text) = (RunError.Code.configuration.rawValue, error.description)
    case let error as FileError: (exitCode, text) = (RunError.Code.cannotWrite.rawValue, error.description)
    case let error as PostgresError:
      (exitCode, text) = (RunError.Code.internal.rawValue, "the database refused a statement: \(error)")
    default: (exitCode, text) = (RunError.Code.internal.rawValue, "\(error)")
    }
  }
}

enum Version {
  static let text = "0.1.0"
  /// When it was made, for the manual page.
  static let date = "2026-11-30"
}

extension StoreError {
  fileprivate var exitCode: Int32 {
    switch code {
    case .away, .fenced: RunError.Code.again.rawValue
    case .version, .configuration: RunError.Code.configuration.rawValue
    case .notFound: RunError.Code.notFound.rawValue
    case .content, .state: RunError.Code.content.rawValue
    case .refused, .historyLost: RunError.Code.internal.rawValue
    }
  }
}
