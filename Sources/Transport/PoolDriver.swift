internal import Base
internal import CCurl
import Glibc

/// The pool's thread: does what `PoolState` says and tells it what libcurl did. Only this thread touches the multi
/// handle and the easy handles.
///
/// curl_multi_perform with curl_multi_poll, not the socket interface: there are a handful of sockets, and
/// curl_multi_wakeup works in this mode alone before 8.20.
final class PoolDriver {
  let configuration: PoolConfiguration
  private let trust: TrustFile
  private let mailbox: PoolMailbox
  private let makeMulti: @Sendable (PoolConfiguration) -> MultiHandle?
  private var multi: MultiHandle?
  /// Every handle made, one a window slot at most; `idle` are those without a transfer.
  private var handles: [EasyHandle] = []
  private var idle: [EasyHandle] = []
  private var runs: [PoolState.PageID: PageRun] = [:]
  private var completed: [PageRun] = []
  private var headerLists: [ObjectIdentifier: HeaderList] = [:]
  /// What happened since the last turn, in order.
  private var events: [PoolState.Event] = []
  private var counters = PoolCounters()
  /// Connections whose TLS handshake agreed on HTTP/1.1 although HTTP/2 is wanted.
  private var http1Connections: Set<PoolState.ConnectionID> = []
  private var sockets: Set<curl_socket_t> = []
  /// Connections on which a request failed, since when, and whether libcurl read the connection's end.
  private var suspects: [PoolState.ConnectionID: (since: BootInstant, hasEnded: Bool)] = [:]
  private var lastSweep = BootInstant.now
  /// Transfers that got a piece of their answer's body in this turn.
  private var readers: [EasyHandle] = []

  init(
    _ configuration: PoolConfiguration, trust: TrustFile, mailbox: PoolMailbox,
    makeMulti: @escaping @Sendable (PoolConfiguration) -> MultiHandle?
  ) {
    self.configuration = configuration
    self.trust = trust
    self.mailbox = mailbox
    self.makeMulti = makeMulti
  }

  /// Runs until the pool is closed and nothing is in flight; then everything of libcurl is cleaned up here.
  func run() {
    rebuild()
    while true {
      let now = BootInstant.now
      let turn = mailbox.turn(events, counters: counters, at: now)
      events.removeAll(keepingCapacity: true)
      // Only now do the counters that callers see include these pages' results.
      for run in completed { run.resume() }
      completed.removeAll(keepingCapacity: true)
      if turn.isLast { break }
      for arrival in turn.arrivals { admit(arrival) }
      var hasStarted = false
      for action in turn.actions {
        switch action {
        case .start(let id, let requests):
          guard let run = runs[id] else { continue }
          if run.mayStart(requests) {
            for index in requests where start(run, index, at: now) { hasStarted = true }
          } else {
            for index in requests { withhold(run, index, .stopped) }
          }
        case .complete(let id, let requests, let reason):
          guard let run = runs[id] else { continue }
          let result = ExchangeResult(exchange: .notSent(reason), handedOver: 0)
          for index in requests { complete(run, index, result, isNews: false) }
        }
      }
      if !hasStarted && events.isEmpty && completed.isEmpty { poll(until: turn.nextMoment) }
      perform()
      for run in runs.values { run.tellWitness() }
      for run in completed { run.tellWitness() }
    }
    cleanUp()
    mailbox.ended()
  }

  private func admit(_ arrival: PoolMailbox.Arrival) {
    runs[arrival.id] = PageRun(arrival, headers: headerList(of: arrival.page.headers))
    // A handle for each request that is here, a window of them at most: a pool's memory follows what waits for it, not
    // how long it has been sending. Few messages, few handles.
    let wanted = min(runs.values.reduce(0) { $0 + $1.missing }, mailbox.window)
    while handles.count < wanted, let handle = makeHandle() { idle.append(handle) }
  }

  /// A set's list is made once. Whenever a new set comes, when a credential was renewed, those that no page uses any
  /// more are dropped.
  private func headerList(of set: HeaderSet) -> HeaderList? {
    let id = ObjectIdentifier(set)
    if let known = headerLists[id] { return known }
    let used = Set(runs.values.map { ObjectIdentifier($0.page.headers) })
    headerLists = headerLists.filter { used.contains($0.key) }
    let made = HeaderList(set)
    headerLists[id] = made
    return made
  }

  /// - Returns: false when the request ended at once.
  private func start(_ run: PageRun, _ index: Int, at now: BootInstant) -> Bool {
    guard let multi, let handle = idle.popLast() ?? makeHandle() else {
      withhold(run, index, .unreachable("libcurl has no memory for another transfer"))
      return false
    }
    guard handle.prepare(run, index, at: now) else {
      handle.clear()
      idle.append(handle)
      let reason = "a path or header line of this request can't be sent: it holds a control character"
      withhold(run, index, .unreachable(reason))
      return false
    }
    guard multi.add(handle) else {
      handle.clear()
      idle.append(handle)
      withhold(run, index, .unreachable("libcurl takes no further transfer"))
      return false
    }
    return true
  }

  private func makeHandle() -> EasyHandle? {
    guard let handle = EasyHandle(configuration, trust: trust, driver: self) else { return nil }
    handles.append(handle)
    return handle
  }

  private func withhold(_ run: PageRun, _ index: Int, _ reason: NotSent) {
    note(.requestWithheld)
    complete(run, index, ExchangeResult(exchange: .notSent(reason), handedOver: 0))
  }

  private func complete(_ run: PageRun, _ index: Int, _ result: ExchangeResult, isNews: Bool = true) {
    run.complete(index, with: result, isNews: isNews)
    if run.isComplete {
      runs[run.id] = nil
      completed.append(run)
    }
  }

  private func poll(until moment: BootInstant?) {
    // A second is how often `sweep` looks after what libcurl may have forgotten.
    let longest = handles.count > idle.count ? 1.0 : 60.0
    // What 7.88.1 has read of a stream beyond its buffer wakes nobody: without this, an answer of 8 kB on a connection
    // that carries nothing else came at a kilobyte a second. Once a turn brings no more of it, the socket will.
    let seconds = readers.isEmpty ? min(longest, max(0, moment?.secondsFromNow ?? longest)) : 0
    guard let multi else {
      // Out of memory: `perform` tries to make another one.
      usleep(100_000)
      return
    }
    multi.poll(milliseconds: Int32((seconds * 1000).rounded(.up)))
  }

  private func perform() {
    guard let multi else { return rebuild() }
    readers.removeAll(keepingCapacity: true)
    if let failure = multi.perform() {
      // What the transfers' states are worth after that is documented nowhere.
      endAll("libcurl's multi handle failed: \(failure)")
      return rebuild()
    }
    while let (handle, code) = multi.nextFinished() { end(handle, code) }
    readers.removeAll { $0.run == nil }
    sweep()
  }

  func isReading(_ handle: EasyHandle) {
    if readers.last !== handle { readers.append(handle) }
  }

  /// Ends what 7.88.1 forgets: a transfer that waits for a connection has no timer there, and when a connection with
  /// many streams is closed only the one that read its end is told; the others would sit out their time-outs.
  private func sweep() {
    let now = BootInstant.now
    guard now > lastSweep.advanced(seconds: 1) else { return }
    lastSweep = now
    let dead = suspects.filter { connection, suspicion in
      suspicion.since.advanced(seconds: 0.5) < now && (suspicion.hasEnded || isClosed(connection))
    }
    for handle in handles where handle.run != nil {
      if handle.startedAt.advanced(seconds: configuration.timeout + 1) < now {
        multi?.remove(handle)
        end(handle, CURLE_OPERATION_TIMEDOUT)
      } else if let connection = handle.connection, dead[connection] != nil {
        multi?.remove(handle)
        end(handle, CURLE_RECV_ERROR, because: "the connection was closed before the answer came")
      }
    }
    let used = Set(handles.lazy.filter { $0.run != nil }.compactMap(\.connection))
    suspects = suspects.filter { used.contains($0.key) }
  }

  private func isClosed(_ connection: PoolState.ConnectionID) -> Bool {
    guard let socket = sockets.first(where: { ccurl_local_port($0) == connection }) else { return true }
    return ccurl_is_closed_by_peer(socket) != 0
  }

  /// A new multi handle, the easy handles of the old one gone.
  private func rebuild() {
    cleanUp()
    multi = makeMulti(configuration)
    mailbox.setMulti(multi?.multi)
  }

  private func cleanUp() {
    mailbox.setMulti(nil)
    idle = []
    handles = []
    multi = nil
    http1Connections = []
    suspects = [:]
    readers = []
  }

  private func endAll(_ reason: String) {
    for handle in handles where handle.run != nil {
      multi?.remove(handle)
      end(handle, CURLE_RECV_ERROR, because: reason)
    }
  }

  private func end(_ handle: EasyHandle, _ code: CURLcode, because reason: String? = nil) {
    guard let run = handle.run else { return }
    var (result, evidence) = handle.finish(code, because: reason)
    counters.connectionsOpened += ccurl_get_long(handle.curl, CURLINFO_NUM_CONNECTS)
    if let connection = handle.connection, evidence.isConnectionLost {
      let known = suspects[connection]
      let hasEnded = code == CURLE_PARTIAL_FILE && evidence.status == 0
      suspects[connection] = (known?.since ?? BootInstant.now, hasEnded || known?.hasEnded == true)
    }
    switch (result.exchange, handle.connection) {
    case (.answered(let answer), let connection?):
      let seconds = max(0, -handle.placedAt.secondsFromNow)
      result.seconds = seconds
      counters.answerArrived(after: seconds)
      note(.answerArrived(on: connection, status: answer.status))
    case (.notSent(let reason), let connection?) where evidence.isCertificateRefused:
      note(.certificateRefused(on: connection, reason))
    case (_, let connection?):
      note(.requestFailed(on: connection, isConnectionLost: evidence.isConnectionLost))
    case (.notSent(let reason), nil) where evidence.isConnectFailure: note(.connectFailed(reason))
    case (_, nil): note(.requestWithheld)
    }
    complete(run, handle.index, result)
    handle.clear()
    if handle.isSpent { handles.removeAll { $0 === handle } } else { idle.append(handle) }
  }

  func note(_ event: PoolState.Event) { events.append(event) }

  func socketOpened(_ socket: curl_socket_t) { sockets.insert(socket) }

  func socketCloses(_ socket: curl_socket_t) {
    sockets.remove(socket)
    note(.connectionClosed(Int(ccurl_local_port(socket))))
  }

  /// Why a request must not be written to the connection that libcurl chose; nil = it may.
  func reasonToWithhold(
    _ handle: EasyHandle, on connection: PoolState.ConnectionID, speaksHTTP2: Bool?, at now: BootInstant
  ) -> TransferEvidence.Withheld? {
    if let speaksHTTP2, configuration.version == .http2 {
      if speaksHTTP2 { http1Connections.remove(connection) } else { http1Connections.insert(connection) }
    }
    if mailbox.isStopped || handle.run?.flag?.isSet == true { return .stopped }
    if http1Connections.contains(connection) { return .http1Only }
    if let run = handle.run, run.sendBefore <= now { return .deadline }
    return nil
  }

  func goAwayArrived(on connection: PoolState.ConnectionID, error: Int, lastStream: Int) {
    note(.goAwayArrived(on: connection))
    for handle in handles { handle.refuse(above: lastStream, on: connection, error: error) }
  }

  static func from(_ raw: UnsafeMutableRawPointer) -> PoolDriver {
    Unmanaged<PoolDriver>.fromOpaque(raw).takeUnretainedValue()
  }
}
