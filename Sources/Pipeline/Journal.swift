import Base
import Campaign
import Store

/// What a run handed to the network and what it heard, in append-only files of the state folder. Should the process
/// die, the next run with that folder (`JournalRecovery`) knows which messages were under way and which were not.
///
/// A record is one write(2) and nothing is synced: it is there when the process was killed, not when the machine lost
/// its power, and `JournalRecovery` tells the two apart by the kernel's boot id. To sync before every hand-over would
/// cost a disk's wait a message, for what is left in doubt anyway when the machine goes down.
///
/// A file takes windows up to a size; it is removed when the last of them is closed.
final class Journal: Sendable {
  static let ending = ".journal"
  /// A file that could not be written to its end: what it doesn't tell may have happened all the same.
  static let tornEnding = ".torn-journal"
  /// A message takes 60 to 150 bytes.
  static let largestFile = 8 << 20

  private struct State {
    var file: JournalFile?
    /// It could not be written once: this run keeps no journal any more.
    var isOff = false
  }

  private let folder: FileFolder?
  private let launch: Launch
  private let largestFile: Int
  private let log: Log
  private let state = Guarded(State())

  /// - Parameter folder: nil: nothing is kept.
  init(folder: String?, of launch: Launch, largestFile: Int = Journal.largestFile, _ log: Log) {
    self.folder = folder.map(FileFolder.init)
    self.launch = launch
    self.largestFile = largestFile
    self.log = log
  }

  /// What the names of a launch's files begin with.
  static func prefix(of launch: Int64) -> String { "launch-\(launch)-" }

  /// Enters a window that was opened in the database, before anything of it is sent.
  /// - Returns: nil when no journal is kept.
  func begin(_ window: JournaledWindow) -> WindowJournal? {
    guard let folder else { return nil }
    let (current, isOff) = state.withLock { ($0.file, $0.isOff) }
    if isOff { return nil }
    if let entry = current?.begin(window) { return entry }
    // Full, or the first one: whoever meets it at the same moment makes one too, which does no harm.
    do {
      let file = try JournalFile(in: folder, of: launch, largest: largestFile) { [weak self] in self?.failed($0) }
      let former = state.withLock { state in
        defer { state.file = file }
        return state.file
      }
      former?.retire()
      return file.begin(window)
    } catch {
      failed(error)
      return nil
    }
  }

  /// No window follows.
  func close() { state.withLock { $0.file }?.retire() }

  private func failed(_ error: FileError) {
    let isNews = state.withLock { state in
      defer { state.isOff = true }
      return !state.isOff
    }
    guard isNews else { return }
    log.warning(
      "no journal is kept any more, sending goes on: \(error); should this process die, whole windows are unknown instead"
        + " of what was under way")
  }
}
