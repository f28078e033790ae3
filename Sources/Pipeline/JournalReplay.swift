import Base
import Campaign
import Providers
import Store

/// What a dead runner's journal says, and what follows for the windows it left open.
struct JournalReplay {
  /// One window that was not closed.
  struct Entry {
    let window: JournaledWindow
    /// In the order in which it happened, without windows and closings.
    fileprivate(set) var events: [JournalRecord] = []
  }

  private(set) var launch: Int64 = 0
  private(set) var startedAt: EpochMilliseconds?
  /// Ascending by the time of their opening.
  let open: [Entry]
  /// What it doesn't tell did not happen: no byte is missing but those of a write that the process didn't live to
  /// finish, and the machine has run ever since.
  let provesAbsence: Bool

  /// - Parameter isWhole: its writer never failed to write.
  init(_ bytes: [UInt8], isWhole: Bool, boot: String = BootID.current) {
    let (records, isIntact) = JournalRecord.read(bytes)
    var entries: [UInt32: Entry] = [:]
    var wroteAt = ""
    for record in records {
      switch record {
      case .began(let launch, let startedAt, let boot):
        self.launch = launch
        self.startedAt = startedAt
        wroteAt = boot
      case .opened(let number, let window): entries[number] = Entry(window: window)
      case .closed(let number): entries[number] = nil
      case .handingOver(let number, _), .ended(let number, _, _, _), .skipped(let number, _, _):
        entries[number]?.events.append(record)
      }
    }
    open = entries.sorted { $0.key < $1.key }.map(\.value)
    provesAbsence = isWhole && isIntact && !boot.isEmpty && wroteAt == boot
  }
}

extension JournalReplay.Entry {
  /// The window's results as its runner would have written them at the moment of its death: through the same state.
  /// What was in flight then is unknown, or asked about where the provider can be.
  func result(policy: RetryPolicy, uid: (RecipientKey) -> String?, now: EpochMilliseconds = .now) -> WindowResult {
    var state = WindowState(keys: window.keys, policy: policy)
    var inFlight: Set<Int> = []
    for event in events {
      switch event {
      case .handingOver(_, let messages): inFlight.formUnion(messages)
      case .ended(_, let messages, let handedOver, let end):
        for message in messages where window.keys.indices.contains(message) {
          inFlight.remove(message)
          let requests = handedOver ? 1 : 0
          switch end {
          case .notTaken: state.notTaken(message, handedOver: requests, reason: "not_handed_over")
          case .verdict(let verdict):
            _ = state.verdictArrived(message, verdict, handedOver: requests, now: now, windowLeft: 0)
          }
        }
      case .skipped(_, let messages, let reason):
        for message in messages where window.keys.indices.contains(message) { state.skipped(message, reason: reason) }
      case .began, .opened, .closed: break
      }
    }
    let doubt = MessageVerdict(window.settlesLater ? .accepted : .unknown, reason: "in_doubt")
    for message in inFlight.sorted() where window.keys.indices.contains(message) {
      _ = state.verdictArrived(message, doubt, handedOver: 1, now: now, windowLeft: 0)
    }
    for (message, key) in window.keys.enumerated() where state.messages[message].phase != .waiting {
      if let uid = uid(key) { state.rendered(message, uid: uid) }
    }
    // The breaker's decision died with its runner: no token is retired on the strength of a journal.
    let close = state.result(decision: .spare, tokens: { _ in "" }, now: now)
    return WindowResult(
      rows: close.rows, accepted: close.accepted, cursor: close.cursor ?? window.cursor, verdicts: close.verdicts,
      dead: close.dead)
  }
}
