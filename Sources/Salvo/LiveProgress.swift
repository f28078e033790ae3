import Base
import Glibc
import Postgres
import Report
import Store

/// One live line a lane on stderr while a launch is sent. Shows what the rows say, read over a connection of its own,
/// so that looking never keeps sending waiting.
struct LiveProgress: Sendable {
  /// Seconds between two looks at the control rows.
  private static let pause = 0.5
  /// The reasons take a look at every message: at most this share of the time goes into it.
  private static let shareOfReasons = 0.05

  private let reader: StatusReader
  private let launch: Int64

  /// - Parameter process: whose database it is.
  init(_ process: ProcessSettings, launch: Int64) {
    reader = StatusReader(Database(conninfo: process.conninfo, applicationName: "salvo progress", connections: 1))
    self.launch = launch
  }

  /// Runs `body`, on a terminal with live lines until it ends; they are gone then.
  func during<Result: Sendable>(_ body: () async throws -> Result) async throws -> Result {
    guard StandardError.isTerminal else { return try await body() }
    let isOver = StopFlag()
    let lines = Task { await show(until: isOver) }
    let ended: Swift.Result<Result, any Error>
    do { ended = .success(try await body()) } catch { ended = .failure(error) }
    isOver.set()
    await lines.value
    return try ended.get()
  }

  private func show(until isOver: StopFlag) async {
    var reasons: [ReasonCount] = []
    var nextReasons = BootInstant.now
    while !isOver.isSet {
      let (withReasons, began) = (nextReasons <= .now, BootInstant.now)
      // A database that is away is the run's to report: the last lines stay.
      if var status = try? await reader.read(launch, withReasons: withReasons), !isOver.isSet {
        if withReasons {
          reasons = status.reasons
          nextReasons = .now.advanced(seconds: -began.secondsFromNow / Self.shareOfReasons)
        } else {
          status.set(reasons)
        }
        draw(status)
      }
      await isOver.sleep(seconds: Self.pause)
    }
    StandardError.pin([], widths: [])
  }

  private func draw(_ status: LaunchStatus) {
    let size = StandardError.size
    func lines(_ paint: Paint) -> [String] {
      ProgressLine.lines(
        status, width: size.columns, height: size.rows, isUTF8: Terminal.isUTF8, paint: paint)
    }
    StandardError.pin(lines(Terminal.paint), widths: lines(Paint(isOn: false)).map(\.columns))
  }
}
