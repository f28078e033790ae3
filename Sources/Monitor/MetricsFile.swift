public import Base

/// Metrics in a file for node_exporter's textfile collector, which takes files that end in `.prom`: replaced whole,
/// every few seconds and at the end, so that a run that cron starts leaves its last numbers behind.
public final class MetricsFile: Sendable {
  /// Scrapes are a quarter of a minute apart at the least.
  static let interval = 15.0
  /// The collector runs as another user.
  private static let mode: UInt32 = 0o644

  private let folder: FileFolder
  private let name: String
  private let metrics: Metrics
  private let log: Log
  private let isOver = StopFlag()
  private let writing = Guarded<Task<Void, Never>?>(nil)

  /// Writes it for the first time.
  /// - Parameter path: must end in `.prom`.
  /// - Throws: `FileError` when that can't be done.
  public init(_ path: String, _ metrics: Metrics, _ log: Log) throws(FileError) {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    name = parts.last.map(String.init) ?? path
    let parent = parts.dropLast().joined(separator: "/")
    folder = FileFolder(parts.count == 1 ? "." : parent.isEmpty ? "/" : parent)
    self.metrics = metrics
    self.log = log
    try write()
    writing.withLock { $0 = Task { [self] in await repeatedly() } }
  }

  /// Writes it for the last time.
  public func stop() async {
    isOver.set()
    await writing.withLock { $0 }?.value
    tryWrite()
  }

  private func repeatedly() async {
    while true {
      await isOver.sleep(seconds: Self.interval)
      if isOver.isSet { return }
      tryWrite()
    }
  }

  /// Sending goes on without it.
  private func tryWrite() {
    do { try write() } catch { log.warning("--metrics-file: \(error)") }
  }

  private func write() throws(FileError) { try folder.write(metrics.text(), to: name, mode: Self.mode) }
}
