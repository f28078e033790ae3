internal import Base

/// Which request goes to the network when. Pure: it holds numbers, the thread of the pool acts.
///
/// Requests wait here, in order. libcurl decides which connection takes a request and tells neither the server's
/// stream limit nor that a request had to wait, so both are found by placing: each HTTP/2 connection begins with one
/// request (its answer proves that the server's SETTINGS are known), then takes as many as it ever took at once, and
/// is tried with one more when it is full. One request at most is on trial, so nothing ever queues inside libcurl
/// (7.88.1 forgets to wake what waits there), and no new connection gets a burst that its server must refuse: APNs
/// allows one stream until a token proved valid.
struct PoolState {
  /// A page of requests; the pool counts them up.
  typealias PageID = Int
  /// A connection: its local port.
  typealias ConnectionID = Int

  enum Event: Equatable {
    /// libcurl chose a connection and is about to write; `insteadOf`: where it had been before, if it moved.
    case requestPlaced(on: ConnectionID, insteadOf: ConnectionID?)
    case answerArrived(on: ConnectionID, status: Int)
    /// No answer. `isConnectionLost`: more than this one stream is gone.
    case requestFailed(on: ConnectionID, isConnectionLost: Bool)
    /// No connection could be made for it.
    case connectFailed(NotSent)
    /// The peer refused our certificate when the request was written already; the next one would fare no better.
    case certificateRefused(on: ConnectionID, NotSent)
    /// It ended before it had a connection, through no fault of the network.
    case requestWithheld
    /// The server takes nothing new on this connection.
    case goAwayArrived(on: ConnectionID)
    case connectionClosed(ConnectionID)
  }

  enum Action: Equatable {
    case start(page: PageID, requests: Range<Int>)
    case complete(page: PageID, requests: Range<Int>, with: NotSent)
  }

  private struct WaitingPage {
    let id: PageID
    var requests: Range<Int>
    let sendBefore: BootInstant
    let flag: StopFlag?
    var isCancelled = false
  }

  private struct Connection {
    /// Requests on it now.
    var placed = 0
    /// The most it ever carried at once: certainly allowed.
    var width = 1
    /// Nil until its first answer, and after a pause in which it may have died.
    var lastAnswer: BootInstant?
    /// Takes nothing new.
    var isDraining = false
    /// Gone; known until the last of its requests has ended.
    var isClosed = false

    mutating func measure() { width = max(width, placed) }
  }

  /// An idle connection is trusted to be alive for so long; afterwards it is tried with one request again.
  static let idleTrust = 1.0
  /// So many requests in a row that were the first of their connections and got no answer mean that nobody answers there.
  /// What waits comes back unsent, rather than being offered to a silent peer one by one and become unknown.
  static let silences = 3
  /// Seconds without a new connection after one failed.
  static let connectPause = 1.0

  private let configuration: PoolConfiguration
  private var waiting: ArraySlice<WaitingPage> = []
  private var connections: [ConnectionID: Connection] = [:]
  /// Started, and without a connection so far.
  private var unplaced = 0
  private var trialNotBefore = BootInstant(nanoseconds: 0)
  /// Requests that failed on connections without any answer so far, since the last answer on another.
  private var silent = 0
  /// Why everything that waits must come back.
  private var unreachable: NotSent?
  private(set) var isStopped = false
  /// Started and not finished.
  private(set) var inFlight = 0
  private(set) var highestInFlight = 0

  init(_ configuration: PoolConfiguration) { self.configuration = configuration }

  /// Requests in flight at most.
  var window: Int {
    switch configuration.version {
    case .http1: configuration.connections
    case .http2: configuration.connections * configuration.streams
    }
  }

  /// When to ask for actions again although nothing happened: the earliest send deadline of what waits, or the end
  /// of the pause after a failed connection. Nil while nothing waits.
  func nextMoment(after now: BootInstant) -> BootInstant? {
    guard let deadline = waiting.lazy.map(\.sendBefore).min() else { return nil }
    return trialNotBefore > now ? min(deadline, trialNotBefore) : deadline
  }

  mutating func pageQueued(_ id: PageID, requests: Int, sendBefore: BootInstant, unless flag: StopFlag? = nil) {
    waiting.append(WaitingPage(id: id, requests: 0..<requests, sendBefore: sendBefore, flag: flag))
  }

  /// Its task doesn't want it any more: what waits of it is not sent.
  mutating func pageCancelled(_ id: PageID) {
    for at in waiting.indices where waiting[at].id == id { waiting[at].isCancelled = true }
  }

  mutating func stopRequested() { isStopped = true }

  mutating func happened(_ events: [Event], at now: BootInstant) {
    for event in events { happened(event, at: now) }
    // Only now: within one step of libcurl a request may take the place of another whose end is reported later.
    for id in connections.keys { connections[id]?.measure() }
  }

  private mutating func happened(_ event: Event, at now: BootInstant) {
    switch event {
    case .requestPlaced(let id, let former):
      if let former { leave(former) } else { unplaced = max(0, unplaced - 1) }
      // The port of one that is gone may be another one's soon.
      if connections[id]?.isClosed == true { connections[id] = nil }
      connections[id, default: Connection()].placed += 1
    case .answerArrived(let id, let status):
      inFlight -= 1
      leave(id)
      silent = 0
      // APNs keeps its limit of one stream for a token it refused: such an answer proves nothing.
      let isRefusal = configuration.startsWithOneRequest && (status == 401 || status == 403)
      if !isRefusal { connections[id]?.lastAnswer = now }
    case .requestFailed(let id, let isConnectionLost):
      inFlight -= 1
      let isSilent = connections[id].map { $0.lastAnswer == nil } ?? false
      if isConnectionLost { connections[id]?.isDraining = true }
      leave(id)
      if isSilent { fellSilent(at: now) }
    case .connectFailed(let reason):
      inFlight -= 1
      unplaced = max(0, unplaced - 1)
      trialNotBefore = now.advanced(seconds: Self.connectPause)
      if inFlight == unplaced { unreachable = reason }
    case .certificateRefused(let id, let reason):
      inFlight -= 1
      connections[id]?.isDraining = true
      leave(id)
      trialNotBefore = now.advanced(seconds: Self.connectPause)
      unreachable = reason
    case .requestWithheld:
      inFlight -= 1
      unplaced = max(0, unplaced - 1)
    case .goAwayArrived(let id):
      connections[id]?.isDraining = true
    case .connectionClosed(let id):
      connections[id]?.isDraining = true
      connections[id]?.isClosed = true
      forgetIfGone(id)
    }
  }

  private mutating func leave(_ id: ConnectionID) {
    guard let connection = connections[id] else { return }
    connections[id]?.placed = max(0, connection.placed - 1)
    forgetIfGone(id)
  }

  private mutating func forgetIfGone(_ id: ConnectionID) {
    if let connection = connections[id], connection.isClosed, connection.placed == 0 { connections[id] = nil }
  }

  private mutating func fellSilent(at now: BootInstant) {
    silent += 1
    guard silent >= Self.silences else { return }
    trialNotBefore = now.advanced(seconds: Self.connectPause)
    unreachable = .unreachable(
      "\(configuration.endpoint): takes connections, but \(silent) requests in a row got no answer")
  }

  /// What is to be done now.
  mutating func nextActions(at now: BootInstant) -> [Action] {
    var actions: [Action] = []
    completeWhatMustNotStart(at: now, &actions)
    var room = self.room(at: now)
    while room > 0, let page = waiting.first {
      let count = min(room, page.requests.count)
      let middle = page.requests.lowerBound + count
      if count > 0 { actions.append(.start(page: page.id, requests: page.requests.lowerBound..<middle)) }
      if middle == page.requests.upperBound {
        waiting.removeFirst()
      } else {
        waiting[waiting.startIndex].requests = middle..<page.requests.upperBound
      }
      inFlight += count
      unplaced += count
      room -= count
    }
    highestInFlight = max(highestInFlight, inFlight)
    return actions
  }

  private mutating func completeWhatMustNotStart(at now: BootInstant, _ actions: inout [Action]) {
    let staying = waiting.filter { page in
      guard let reason = reasonToComplete(page, at: now) else { return true }
      actions.append(.complete(page: page.id, requests: page.requests, with: reason))
      return false
    }
    if staying.count < waiting.count { waiting = staying[...] }
    unreachable = nil
  }

  private func reasonToComplete(_ page: WaitingPage, at now: BootInstant) -> NotSent? {
    if isStopped || page.isCancelled || page.flag?.isSet == true { return .stopped }
    if page.sendBefore <= now { return .deadline }
    return unreachable
  }

  /// How many requests may start now.
  private func room(at now: BootInstant) -> Int {
    if waiting.isEmpty || inFlight >= window { return 0 }
    if configuration.version == .http1 { return window - inFlight }
    var room = 0
    var isProving = false
    var isFull = true
    var usable = 0
    for connection in connections.values where !connection.isDraining {
      usable += 1
      if connection.width < configuration.streams { isFull = false }
      if isProven(connection, at: now) {
        room += max(0, min(connection.width, configuration.streams) - connection.placed)
      } else {
        isFull = false
        if connection.placed > 0 { isProving = true }
      }
    }
    // Whoever is still without a connection may take one of these places.
    room -= unplaced
    if room > 0 { return min(room, window - inFlight) }
    if unplaced > 0 || isProving || now < trialNotBefore { return 0 }
    return isFull && usable >= configuration.connections ? 0 : 1
  }

  private func isProven(_ connection: Connection, at now: BootInstant) -> Bool {
    guard let answer = connection.lastAnswer else { return false }
    return connection.placed > 0 || now <= answer.advanced(seconds: Self.idleTrust)
  }
}
