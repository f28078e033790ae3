import Base
import Testing

@testable import Transport

@Suite("PoolState") struct PoolStateTests {
  private let start = BootInstant(nanoseconds: 1_000_000_000_000)

  private func state(
    connections: Int = 2, streams: Int = 100, _ change: (inout PoolConfiguration) -> Void = { _ in }
  ) -> PoolState {
    var configuration = PoolConfiguration(
      name: "test", endpoint: "https://localhost", connections: connections, streams: streams)
    change(&configuration)
    return PoolState(configuration)
  }

  private func at(_ seconds: Double) -> BootInstant { start.advanced(seconds: seconds) }

  /// A state whose connection 7 was proven by one answer, with 1,000 requests (page 1) waiting; 1 of them is done.
  private func proven(connections: Int = 2, streams: Int = 100) -> PoolState {
    var state = state(connections: connections, streams: streams)
    state.pageQueued(1, requests: 1000, sendBefore: .distantFuture)
    _ = state.nextActions(at: start)
    state.happened([.requestPlaced(on: 7, insteadOf: nil), .answerArrived(on: 7, status: 200)], at: start)
    return state
  }

  @Test("a new pool sends one request and waits for its answer")
  func oneRequestFirst() {
    var state = state()
    state.pageQueued(1, requests: 250, sendBefore: .distantFuture)
    #expect(state.nextActions(at: start) == [.start(page: 1, requests: 0..<1)])
    #expect(state.nextActions(at: start) == [])
    state.happened([.requestPlaced(on: 7, insteadOf: nil)], at: start)
    #expect(state.nextActions(at: start) == [])
    state.happened([.answerArrived(on: 7, status: 200)], at: start)
    #expect(state.nextActions(at: start) == [.start(page: 1, requests: 1..<2)])
  }

  @Test("a proven connection is widened by one at a time, each once the last one is placed")
  func widening() {
    var state = proven()
    for index in 1...30 {
      #expect(state.nextActions(at: start) == [.start(page: 1, requests: index..<index + 1)])
      #expect(state.nextActions(at: start) == [])
      state.happened([.requestPlaced(on: 7, insteadOf: nil)], at: start)
    }
    #expect(state.inFlight == 30)
    #expect(state.highestInFlight == 30)
    // What it carried once it may carry again at once.
    state.happened(Array(repeating: .answerArrived(on: 7, status: 200), count: 20), at: start)
    #expect(state.nextActions(at: start) == [.start(page: 1, requests: 31..<51)])
  }

  @Test("a place that is taken over within one step of libcurl widens nothing")
  func takenOver() {
    var state = proven()
    _ = state.nextActions(at: start)
    state.happened([.requestPlaced(on: 7, insteadOf: nil)], at: start)
    // One waits in libcurl; it is placed when the other ends, and the end is reported after it.
    #expect(state.nextActions(at: start) == [.start(page: 1, requests: 2..<3)])
    state.happened([.requestPlaced(on: 7, insteadOf: nil), .answerArrived(on: 7, status: 200)], at: start)
    // Width 1, full: another trial, not two at once.
    #expect(state.nextActions(at: start) == [.start(page: 1, requests: 3..<4)])
  }

  @Test("nothing is tried while a new connection is unproven, but what proven ones carried goes on")
  func newConnection() {
    var state = proven()
    for _ in 1...5 {
      _ = state.nextActions(at: start)
      state.happened([.requestPlaced(on: 7, insteadOf: nil)], at: start)
    }
    // The sixth lands on another connection: 7 was full.
    _ = state.nextActions(at: start)
    state.happened([.requestPlaced(on: 8, insteadOf: nil)], at: start)
    #expect(state.nextActions(at: start) == [])
    state.happened([.answerArrived(on: 7, status: 200), .answerArrived(on: 7, status: 200)], at: start)
    #expect(state.nextActions(at: start) == [.start(page: 1, requests: 7..<9)])
    state.happened(
      [
        .requestPlaced(on: 7, insteadOf: nil), .requestPlaced(on: 7, insteadOf: nil),
        .answerArrived(on: 8, status: 200),
      ],
      at: start)
    // 8 is proven now and empty.
    #expect(state.nextActions(at: start) == [.start(page: 1, requests: 9..<10)])
  }

  @Test("one that waits for a place is enough: nothing more is started into libcurl's queue")
  func oneWaiting() {
    var state = proven(connections: 1)
    _ = state.nextActions(at: start)
    state.happened([.requestPlaced(on: 7, insteadOf: nil)], at: start)
    #expect(state.nextActions(at: start).count == 1)
    #expect(state.nextActions(at: start) == [])
    #expect(state.inFlight == 2)
  }

  @Test("never more in flight than connections × streams", arguments: [(1, 1, 1), (1, 3, 3), (2, 2, 4)])
  func window(connections: Int, streams: Int, window: Int) {
    var state = proven(connections: connections, streams: streams)
    for step in 0..<20 {
      for action in state.nextActions(at: start) {
        guard case .start(_, let requests) = action else { continue }
        // As libcurl does it: the first connection with room.
        for _ in requests {
          let connection = 7 + min(connections - 1, (state.inFlight - 1) / streams)
          state.happened([.requestPlaced(on: connection, insteadOf: nil)], at: start)
        }
      }
      if step == 10 { state.happened([.answerArrived(on: 7, status: 200)], at: start) }
      #expect(state.inFlight <= window)
    }
    #expect(state.highestInFlight <= window)
    #expect(state.window == window)
  }

  @Test("HTTP/1.1: as many as connections, at once")
  func http1() {
    var state = state(connections: 3, streams: 1) { $0.version = .http1 }
    state.pageQueued(1, requests: 10, sendBefore: .distantFuture)
    #expect(state.nextActions(at: start) == [.start(page: 1, requests: 0..<3)])
    state.happened([.requestPlaced(on: 7, insteadOf: nil), .answerArrived(on: 7, status: 200)], at: start)
    #expect(state.nextActions(at: start) == [.start(page: 1, requests: 3..<4)])
  }

  @Test(
    "startsWithOneRequest: a refused token proves nothing, any other answer does", arguments: [401, 403, 400, 410, 200])
  func refusedToken(status: Int) {
    var state = state { $0.startsWithOneRequest = true }
    state.pageQueued(1, requests: 10, sendBefore: .distantFuture)
    _ = state.nextActions(at: start)
    state.happened([.requestPlaced(on: 7, insteadOf: nil), .answerArrived(on: 7, status: status)], at: start)
    #expect(state.nextActions(at: start).count == 1)
    state.happened([.requestPlaced(on: 7, insteadOf: nil)], at: start)
    #expect(state.nextActions(at: start).count == (status == 401 || status == 403 ? 0 : 1))
  }

  @Test("pages are served in order, across their borders")
  func order() {
    var state = state(connections: 4, streams: 1) { $0.version = .http1 }
    state.pageQueued(1, requests: 3, sendBefore: .distantFuture)
    state.pageQueued(2, requests: 3, sendBefore: .distantFuture)
    #expect(
      state.nextActions(at: start) == [.start(page: 1, requests: 0..<3), .start(page: 2, requests: 0..<1)])
    state.happened([.requestWithheld, .requestWithheld], at: start)
    #expect(state.nextActions(at: start) == [.start(page: 2, requests: 1..<3)])
    #expect(state.nextMoment(after: start) == nil)
  }

  @Test("after stop nothing starts, what waits is completed, what is in flight stays")
  func stop() {
    var state = proven()
    _ = state.nextActions(at: start)
    state.stopRequested()
    #expect(state.nextActions(at: start) == [.complete(page: 1, requests: 2..<1000, with: .stopped)])
    #expect(state.inFlight == 1)
    state.pageQueued(2, requests: 5, sendBefore: .distantFuture)
    #expect(state.nextActions(at: start) == [.complete(page: 2, requests: 0..<5, with: .stopped)])
  }

  @Test("whoever waits at its send deadline is completed, the others stay")
  func deadline() {
    var state = proven()
    _ = state.nextActions(at: start)
    state.pageQueued(2, requests: 5, sendBefore: at(3))
    #expect(state.nextMoment(after: start) == at(3))
    #expect(state.nextActions(at: at(2.9)) == [])
    #expect(state.nextActions(at: at(3)) == [.complete(page: 2, requests: 0..<5, with: .deadline)])
    #expect(state.nextMoment(after: start) == .distantFuture)
  }

  @Test("a page past its deadline starts nothing, even with the pool empty")
  func deadlineAtOnce() {
    var state = state()
    state.pageQueued(1, requests: 2, sendBefore: start)
    #expect(state.nextActions(at: start) == [.complete(page: 1, requests: 0..<2, with: .deadline)])
  }

  @Test("a cancelled page completes what waits of it")
  func cancelled() {
    var state = proven()
    _ = state.nextActions(at: start)
    state.pageCancelled(1)
    state.pageCancelled(99)
    #expect(state.nextActions(at: start) == [.complete(page: 1, requests: 2..<1000, with: .stopped)])
  }

  @Test("when no connection can be made, all that waits comes back; the next attempt is a second later")
  func unreachable() {
    var state = state()
    state.pageQueued(1, requests: 250, sendBefore: .distantFuture)
    _ = state.nextActions(at: start)
    state.happened([.connectFailed(.untrusted("who are you"))], at: start)
    #expect(
      state.nextActions(at: start) == [.complete(page: 1, requests: 1..<250, with: .untrusted("who are you"))])
    #expect(state.inFlight == 0)
    state.pageQueued(2, requests: 5, sendBefore: .distantFuture)
    #expect(state.nextActions(at: at(0.5)) == [])
    #expect(state.nextMoment(after: at(0.5)) == at(1))
    #expect(state.nextActions(at: at(1)) == [.start(page: 2, requests: 0..<1)])
  }

  @Test("three first requests of connections without an answer: nobody answers there, and the rest comes back unsent")
  func silence() {
    var state = state()
    state.pageQueued(1, requests: 250, sendBefore: .distantFuture)
    for number in 0..<3 {
      #expect(state.nextActions(at: at(10)) == [.start(page: 1, requests: number..<number + 1)])
      let id = 7 + number
      // Its socket is closed before libcurl tells of the transfer.
      state.happened(
        [
          .requestPlaced(on: id, insteadOf: nil), .connectionClosed(id), .requestFailed(on: id, isConnectionLost: true),
        ], at: at(10))
    }
    let reason = NotSent.unreachable("https://localhost: takes connections, but 3 requests in a row got no answer")
    #expect(state.nextActions(at: at(10)) == [.complete(page: 1, requests: 3..<250, with: reason)])
    // The next page offers one request, a second later; an answer forgives everything.
    state.pageQueued(2, requests: 5, sendBefore: .distantFuture)
    #expect(state.nextActions(at: at(10.5)) == [])
    #expect(state.nextActions(at: at(11)) == [.start(page: 2, requests: 0..<1)])
    state.happened([.requestPlaced(on: 20, insteadOf: nil), .answerArrived(on: 20, status: 200)], at: at(11))
    #expect(state.nextActions(at: at(11)) == [.start(page: 2, requests: 1..<2)])
    state.happened([.requestPlaced(on: 20, insteadOf: nil)], at: at(11))
    state.happened([.requestFailed(on: 20, isConnectionLost: false)], at: at(11))
    #expect(state.nextActions(at: at(11)) == [.start(page: 2, requests: 2..<3)])
  }

  @Test("our certificate was refused: all that waits comes back with that reason")
  func certificateRefused() {
    var state = state()
    state.pageQueued(1, requests: 250, sendBefore: .distantFuture)
    _ = state.nextActions(at: start)
    let reason = NotSent.certificateRefused("unknown CA")
    state.happened([.requestPlaced(on: 7, insteadOf: nil), .certificateRefused(on: 7, reason)], at: start)
    #expect(state.nextActions(at: start) == [.complete(page: 1, requests: 1..<250, with: reason)])
    #expect(state.inFlight == 0)
  }

  @Test("a second connection that fails stops nothing while the first works")
  func secondConnectionFails() {
    var state = proven()
    _ = state.nextActions(at: start)
    state.happened([.requestPlaced(on: 7, insteadOf: nil)], at: start)
    _ = state.nextActions(at: start)
    state.happened([.connectFailed(.unreachable("full"))], at: start)
    #expect(state.nextActions(at: start) == [])
    state.happened([.answerArrived(on: 7, status: 200)], at: start)
    #expect(state.nextActions(at: start) == [.start(page: 1, requests: 3..<4)])
  }

  @Test("a draining, lost or closed connection gets nothing new", arguments: [0, 1, 2])
  func lostConnection(kind: Int) {
    var state = proven()
    for _ in 1...5 {
      _ = state.nextActions(at: start)
      state.happened([.requestPlaced(on: 7, insteadOf: nil)], at: start)
    }
    switch kind {
    case 0: state.happened([.goAwayArrived(on: 7), .answerArrived(on: 7, status: 200)], at: start)
    case 1: state.happened([.requestFailed(on: 7, isConnectionLost: true)], at: start)
    default: state.happened([.connectionClosed(7), .requestFailed(on: 7, isConnectionLost: true)], at: start)
    }
    // One on trial, which finds or makes another connection.
    #expect(state.nextActions(at: start) == [.start(page: 1, requests: 6..<7)])
    #expect(state.inFlight == 5)
    state.happened([.requestPlaced(on: 8, insteadOf: nil)], at: start)
    #expect(state.nextActions(at: start) == [])
  }

  @Test("a stream that failed alone leaves its place to the next")
  func lostStream() {
    var state = proven()
    for _ in 1...5 {
      _ = state.nextActions(at: start)
      state.happened([.requestPlaced(on: 7, insteadOf: nil)], at: start)
    }
    state.happened([.requestFailed(on: 7, isConnectionLost: false)], at: start)
    #expect(state.nextActions(at: start) == [.start(page: 1, requests: 6..<7)])
    state.happened([.requestPlaced(on: 7, insteadOf: nil)], at: start)
    #expect(state.nextActions(at: start) == [.start(page: 1, requests: 7..<8)])
  }

  @Test("after a pause a connection is tried with one request, then trusted with all it carried")
  func idle() {
    var state = proven()
    for _ in 1...5 {
      _ = state.nextActions(at: start)
      state.happened([.requestPlaced(on: 7, insteadOf: nil)], at: start)
    }
    state.happened(Array(repeating: .answerArrived(on: 7, status: 200), count: 5), at: start)
    #expect(state.nextActions(at: at(5)) == [.start(page: 1, requests: 6..<7)])
    state.happened([.requestPlaced(on: 7, insteadOf: nil), .answerArrived(on: 7, status: 200)], at: at(5))
    #expect(state.nextActions(at: at(5)) == [.start(page: 1, requests: 7..<12)])
  }

  @Test("a request that libcurl moves to another connection is counted there")
  func moved() {
    var state = proven()
    _ = state.nextActions(at: start)
    state.happened([.requestPlaced(on: 7, insteadOf: nil), .requestPlaced(on: 8, insteadOf: 7)], at: start)
    #expect(state.inFlight == 1)
    // 8 is unproven: no trial; 7 is empty and proven.
    #expect(state.nextActions(at: start) == [.start(page: 1, requests: 2..<3)])
  }
}
