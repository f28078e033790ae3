internal import Base
internal import CCurl
internal import Synchronization

/// Where callers and the pool's thread meet. Continuations are resumed and libcurl is called outside its lock, with
/// one exception that `wake` explains.
final class PoolMailbox: Sendable {
  /// A page handed in, not yet seen by the thread.
  struct Arrival: Sendable {
    let id: PoolState.PageID
    let page: RequestPage
    let sendBefore: BootInstant
    /// Once it is up, what waits of the page is not sent.
    let flag: StopFlag?
    let witness: (any PageWitness)?
    let continuation: UnsafeContinuation<[ExchangeResult], Never>
  }

  /// What the thread does next.
  struct Turn {
    var arrivals: [Arrival]
    var actions: [PoolState.Action]
    /// When to look again although nothing happened.
    var nextMoment: BootInstant?
    /// Closed and nothing left: the thread cleans up and ends.
    var isLast: Bool
  }

  private struct Contents {
    var state: PoolState
    var counters = PoolCounters()
    var arrivals: [Arrival] = []
    var lastID = 0
    var isClosing = false
    var hasEnded = false
    var closers: [UnsafeContinuation<Void, Never>] = []
  }

  private let contents: Guarded<Contents>
  /// The multi handle to wake; nil once it is being cleaned up.
  private let multi = Guarded<OpaquePointer?>(nil)
  /// Read by the thread right before a request is written, so that `stop` is obeyed to the last moment.
  private let stopFlag = Atomic<Bool>(false)

  init(_ configuration: PoolConfiguration) {
    contents = Guarded(Contents(state: PoolState(configuration)))
  }

  var isStopped: Bool { stopFlag.load(ordering: .acquiring) }
  var inFlight: Int { contents.withLock { $0.state.inFlight } }
  /// Requests in flight at most.
  var window: Int { contents.withLock { $0.state.window } }
  var highestInFlight: Int { contents.withLock { $0.state.highestInFlight } }
  var counters: PoolCounters { contents.withLock { $0.counters } }

  func nextPageID() -> PoolState.PageID {
    contents.withLock {
      $0.lastID += 1
      return $0.lastID
    }
  }

  /// - Returns: false when the thread has ended; then nobody will resume the continuation.
  func enqueue(_ arrival: Arrival) -> Bool {
    let (isTaken, mustWake) = contents.withLock { contents in
      if contents.hasEnded { return (false, false) }
      contents.state.pageQueued(
        arrival.id, requests: arrival.page.requests.count, sendBefore: arrival.sendBefore, unless: arrival.flag)
      contents.arrivals.append(arrival)
      return (true, contents.arrivals.count == 1)
    }
    if mustWake { wake() }
    return isTaken
  }

  func cancel(_ id: PoolState.PageID) {
    contents.withLock { $0.state.pageCancelled(id) }
    wake()
  }

  /// - Returns: how many requests are in flight.
  func stop() -> Int {
    stopFlag.store(true, ordering: .releasing)
    let inFlight = contents.withLock { contents in
      contents.state.stopRequested()
      return contents.state.inFlight
    }
    wake()
    return inFlight
  }

  /// Lets the thread end once nothing is in flight.
  func closeRequested() {
    contents.withLock { $0.isClosing = true }
    _ = stop()
  }

  /// Returns when the thread has cleaned up.
  func waitForEnd() async {
    await withUnsafeContinuation { continuation in
      let hasEnded = contents.withLock { contents in
        if !contents.hasEnded { contents.closers.append(continuation) }
        return contents.hasEnded
      }
      if hasEnded { continuation.resume() }
    }
  }

  /// The lock is held across the call on purpose: the thread takes the handle away under it before cleaning up, so
  /// it can't be freed in between. curl_multi_wakeup only writes one byte and never blocks.
  private func wake() {
    multi.withLock { multi in
      if let multi { curl_multi_wakeup(multi) }
    }
  }

  func setMulti(_ handle: OpaquePointer?) { multi.withLock { $0 = handle } }

  /// Tells what happened and asks what to do.
  func turn(_ events: [PoolState.Event], counters: PoolCounters, at now: BootInstant) -> Turn {
    contents.withLock { contents in
      contents.counters = counters
      contents.state.happened(events, at: now)
      let actions = contents.state.nextActions(at: now)
      let arrivals = contents.arrivals
      contents.arrivals = []
      let isLast = contents.isClosing && actions.isEmpty && arrivals.isEmpty && contents.state.inFlight == 0
      if isLast { contents.hasEnded = true }
      return Turn(
        arrivals: arrivals, actions: actions, nextMoment: contents.state.nextMoment(after: now), isLast: isLast)
    }
  }

  /// The last thing the thread does.
  func ended() {
    let closers = contents.withLock { contents in
      defer { contents.closers = [] }
      return contents.closers
    }
    for closer in closers { closer.resume() }
  }
}
