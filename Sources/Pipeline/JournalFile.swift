import Base
import Campaign
import Synchronization

/// One file of a journal and the windows in it.
final class JournalFile: Sendable {
  private struct State {
    var windows: UInt32 = 0
    var open = 0
    var bytes = 0
    /// Takes no further window.
    var isRetired = false
    var isRemoved = false
  }

  /// How far the file can be trusted.
  private enum Trust: UInt8, AtomicRepresentable {
    /// It holds everything.
    case whole
    /// It lacks something, and its name says so.
    case torn
    /// It lacks something and its name could not be changed: nothing that it doesn't hold may happen.
    case deceiving
  }

  private let folder: FileFolder
  private let name: String
  private let file: AppendFile
  private let largest: Int
  private let onFailure: @Sendable (FileError) -> Void
  private let state = Guarded(State())
  private let trust = Atomic<Trust>(.whole)

  /// - Parameter onFailure: told when something can't be written.
  init(
    in folder: FileFolder, of launch: Launch, largest: Int, onFailure: @escaping @Sendable (FileError) -> Void
  ) throws(FileError) {
    self.folder = folder
    self.largest = largest
    self.onFailure = onFailure
    name = Journal.prefix(of: launch.id) + String(UInt64.random(in: .min ... .max), radix: 16)
    file = try AppendFile(creating: "\(folder.path)/\(name)\(Journal.ending)")
    let startedAt = launch.startedAt ?? EpochMilliseconds(0)
    write([.began(launch: launch.id, startedAt: startedAt, boot: BootID.current)])
  }

  /// - Returns: nil when it takes no further window.
  func begin(_ window: JournaledWindow) -> WindowJournal? {
    let number = state.withLock { state -> UInt32? in
      guard !state.isRetired, state.bytes < largest else { return nil }
      state.windows += 1
      state.open += 1
      return state.windows
    }
    guard let number else { return nil }
    write([.opened(number: number, window)])
    return WindowJournal(file: self, number: number)
  }

  /// Takes no further window; it is gone when the last one is closed.
  func retire() {
    removeIfDone { $0.isRetired = true }
  }

  /// A window's results are written in the database, or elsewhere.
  func closed(_ number: UInt32) {
    write([.closed(number: number)])
    removeIfDone { $0.open -= 1 }
  }

  /// One write for all of them.
  /// - Returns: false when what they tell of must not happen, because the file would deny it.
  @discardableResult
  func write(_ records: [JournalRecord]) -> Bool {
    guard trust.load(ordering: .acquiring) == .whole else { return trust.load(ordering: .acquiring) == .torn }
    var bytes: [UInt8] = []
    for record in records { record.append(to: &bytes) }
    state.withLock { $0.bytes += bytes.count }
    do {
      try file.append(bytes)
      return true
    } catch {
      // First the name: whoever reads the file must not take what it lacks for what didn't happen.
      let isRenamed = (try? file.rename(to: "\(folder.path)/\(name)\(Journal.tornEnding)")) != nil
      // Several threads may come here; all but the first find no file of the old name.
      if isRenamed {
        trust.store(.torn, ordering: .releasing)
      } else {
        _ = trust.compareExchange(expected: .whole, desired: .deceiving, ordering: .acquiringAndReleasing)
      }
      onFailure(error)
      return trust.load(ordering: .acquiring) == .torn
    }
  }

  private func removeIfDone(_ change: (inout State) -> Void) {
    let isDone = state.withLock { state in
      change(&state)
      guard state.isRetired, state.open == 0, !state.isRemoved else { return false }
      state.isRemoved = true
      return true
    }
    guard isDone else { return }
    let ending = trust.load(ordering: .acquiring) == .torn ? Journal.tornEnding : Journal.ending
    // What stays tells of closed windows alone: the next run removes it.
    try? folder.remove(name + ending)
  }
}

/// One window's entries.
struct WindowJournal: Sendable {
  fileprivate let file: JournalFile
  fileprivate let number: UInt32

  /// Must be called before any of these may reach the network.
  /// - Returns: false when they must not.
  func handingOver(_ messages: [Int]) -> Bool { file.write([.handingOver(number: number, messages: messages)]) }

  func ended(_ ends: [(messages: [Int], handedOver: Bool, end: JournalRecord.End)]) {
    guard !ends.isEmpty else { return }
    file.write(
      ends.map { .ended(number: number, messages: $0.messages, handedOver: $0.handedOver, $0.end) })
  }

  func skipped(_ messages: [Int], reason: String) {
    file.write([.skipped(number: number, messages: messages, reason: reason)])
  }

  func closed() { file.closed(number) }
}
