import Store

struct PauseCommand: Command {
  static let spec = LaunchWord.spec("pause", "holds a launch or one lane; runners finish their open windows and leave")
  private let word: LaunchWord
  init(_ arguments: Arguments) throws { word = try LaunchWord(.pause, arguments) }
  func run() async throws -> Int32 { try await word.say() }
}

struct ResumeCommand: Command {
  static let spec = LaunchWord.spec("resume", "lets a paused launch or lane go on, or a stopped lane")
  private let word: LaunchWord
  init(_ arguments: Arguments) throws { word = try LaunchWord(.resume, arguments) }
  func run() async throws -> Int32 { try await word.say() }
}

struct CancelCommand: Command {
  static let spec = LaunchWord.spec("cancel", "ends a launch, or one of its lanes; what remains is never sent")
  private let word: LaunchWord
  init(_ arguments: Arguments) throws { word = try LaunchWord(.cancel, arguments) }
  func run() async throws -> Int32 { try await word.say() }
}

/// What the three have in common.
private struct LaunchWord {
  let word: LaunchCommands.Word
  let settings: ProcessSettings
  let launch: Int64
  let channel: Int64?

  static func spec(_ word: String, _ summary: String) -> CommandSpec {
    CommandSpec(
      words: [word], operands: "LAUNCH", operandCount: 1...1, summary: summary,
      options: [.init(name: "--channel", value: "ID", help: "only the lane of this channel")])
  }

  init(_ word: LaunchCommands.Word, _ arguments: Arguments) throws {
    self.word = word
    settings = try ProcessSettings(arguments)
    launch = try arguments.id(0, "LAUNCH")
    channel = try arguments.int("--channel", in: 1...Int64.max)
  }

  func say() async throws -> Int32 {
    let done = try await LaunchCommands(settings.database()).say(word, launch: launch, channel: channel)
    let name = channel.map { "channel \($0) of launch \(launch)" } ?? "launch \(launch)"
    let flight =
      word == .resume
      ? "" : "; in flight: \(done.messagesInFlight) messages in \(done.windowsInFlight) windows, which are finished"
    print("\(name): \(done.from) -> \(done.to)\(flight)")
    return 0
  }
}
