import Base
import Glibc
import Pipeline
import Postgres
import Store

/// Arguments → settings → wiring → exit code.
@main
enum Main {
  static let commands: [any Command.Type] = [
    MigrateCommand.self, RunCommand.self, LaunchCreateCommand.self, LaunchListCommand.self, AudienceCommand.self,
    DecodeCommand.self,
  ]

  static func main() async {
    signal(SIGPIPE, SIG_IGN)
    var words = Array(CommandLine.arguments.dropFirst())
    if words.isEmpty || words[0] == "--help" || words[0] == "help" {
      print(Help.overview(commands))
      exit(words.isEmpty ? RunError.Code.usage.rawValue : 0)
    }
    if words[0] == "--version" {
      print("salvo \(Version.text)")
      exit(0)
    }
    guard let command = commands.first(where: { words.starts(with: $0.spec.words) }) else {
      fail(UsageError("there is no command \"\(words.prefix(2).joined(separator: " "))\"; salvo --help lists them"))
    }
    words.removeFirst(command.spec.words.count)
    do {
      let arguments = try Arguments(words, spec: command.spec)
      if arguments.has("--help") {
        print(Help.text(command.spec))
        exit(0)
      }
      exit(try await command.init(arguments).run())
    } catch {
      fail(error)
    }
  }

  /// One line on stderr, and the exit code.
  private static func fail(_ error: any Error) -> Never {
    let (code, text): (Int32, String) =
      switch error {
      case let error as UsageError: (RunError.Code.usage.rawValue, error.description)
      case let error as RunError: (error.code.rawValue, error.description)
      case let error as StoreError: (error.exitCode, error.description)
      case let error as PostgresError: (RunError.Code.internal.rawValue, "the database refused a statement: \(error)")
      default: (RunError.Code.internal.rawValue, "\(error)")
      }
    Log().error(text)
    exit(code)
  }
}

enum Version {
  static let text = "0.1.0"
}

extension StoreError {
  /// What the process ends with.
  var exitCode: Int32 {
    switch code {
    case .away: RunError.Code.again.rawValue
    case .version, .configuration: RunError.Code.configuration.rawValue
    case .notFound: RunError.Code.notFound.rawValue
    case .content, .state: RunError.Code.content.rawValue
    case .refused: RunError.Code.internal.rawValue
    }
  }
}
