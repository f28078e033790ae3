import Base
import Providers
import Transport

/// Keeps one lane's authorization: made once, shared by all requests, renewed early, by one caller at a time.
final class AccessKeeper: Sendable {
  private struct State {
    var headers: HeaderSet?
    var authorization: String?
    var renewAt = EpochMilliseconds(0)
    var validUntil = EpochMilliseconds(0)
    /// The current one was made because its predecessor was refused, and has not been accepted yet.
    var isSecondTry = false
    var renewal: Task<HeaderSet, any Error>?
  }

  /// Seconds before somebody who didn't give it is asked again.
  static let pauses = [0.5, 2.0]
  /// The same while the old one is still good.
  static let patience = 60.0

  private let source: any AccessSource
  private let lines: @Sendable (Access) -> [String]
  private let exchange: @Sendable (AccessExchange) async throws -> Answer
  private let shared: SharedAccess?
  private let stop: StopFlag
  private let onRenewal: @Sendable (_ isGiven: Bool) -> Void
  private let state = Guarded(State())

  /// - Parameters:
  ///   - lines: the header lines that every request carries under an access.
  ///   - exchange: sends the exchange and returns its whole answer.
  ///   - shared: where other processes with this credential find it; nil = nowhere.
  ///   - stop: once it is up, nobody who was away is asked again.
  ///   - onRenewal: told of each authorization that was made anew here, and of each try that gave none.
  init(
    source: any AccessSource, lines: @escaping @Sendable (Access) -> [String],
    exchange: @escaping @Sendable (AccessExchange) async throws -> Answer, shared: SharedAccess? = nil,
    stop: StopFlag = StopFlag(), onRenewal: @escaping @Sendable (_ isGiven: Bool) -> Void = { _ in }
  ) {
    self.source = source
    self.lines = lines
    self.exchange = exchange
    self.shared = shared
    self.stop = stop
    self.onRenewal = onRenewal
  }

  /// The headers to send with now.
  func current() async throws -> HeaderSet {
    let now = EpochMilliseconds.now
    let (ready, renewal) = state.withLock { state -> (HeaderSet?, Task<HeaderSet, any Error>?) in
      if let headers = state.headers, now < state.renewAt { return (headers, nil) }
      return (nil, renew(&state, isSecondTry: false))
    }
    if let ready { return ready }
    return try await finish(renewal)
  }

  /// The provider refused these headers: one new access for all who were refused with it.
  /// - Returns: nil when the new one was refused too; then the credential is wrong.
  func refused(_ headers: HeaderSet) async throws -> HeaderSet? {
    enum Next {
      case ready(HeaderSet)
      case wait(Task<HeaderSet, any Error>)
      case givenUp
    }
    let next = state.withLock { state -> Next in
      if let current = state.headers, current !== headers { return .ready(current) }
      if let renewal = state.renewal { return .wait(renewal) }
      if state.isSecondTry { return .givenUp }
      return .wait(renew(&state, isSecondTry: true))
    }
    switch next {
    case .ready(let headers): return headers
    case .wait(let renewal): return try await finish(renewal)
    case .givenUp: return nil
    }
  }

  /// A request with these headers was taken: the next refusal may renew again.
  func accepted(_ headers: HeaderSet) {
    state.withLock { state in
      if state.headers === headers { state.isSecondTry = false }
    }
  }

  private func renew(_ state: inout State, isSecondTry: Bool) -> Task<HeaderSet, any Error> {
    if let renewal = state.renewal { return renewal }
    // Refused or merely old: only a refused one may be replaced before its time.
    let refused = isSecondTry ? state.authorization : nil
    let renewal = Task { [lines, self] in
      do {
        let access = try await made(insteadOf: refused)
        let headers = HeaderSet(lines(access))
        self.state.withLock { state in
          state.headers = headers
          state.authorization = access.authorization
          state.renewAt = access.renewAt
          state.validUntil = access.validUntil
          state.isSecondTry = isSecondTry
          state.renewal = nil
        }
        return headers
      } catch {
        // Renewed early, so that the old one carries the lane over while nobody gives a new one.
        let still = self.state.withLock { state -> HeaderSet? in
          state.renewal = nil
          guard !isSecondTry, Self.isTemporary(error), .now < state.validUntil else { return nil }
          state.renewAt = EpochMilliseconds.now.adding(seconds: Self.patience)
          return state.headers
        }
        if let still { return still }
        throw error
      }
    }
    state.renewal = renewal
    return renewal
  }

  /// Asks again a few times whoever only is away for a moment.
  private func made(insteadOf refused: String?) async throws -> Access {
    for pause in Self.pauses {
      do {
        return try await make(insteadOf: refused)
      } catch  where Self.isTemporary(error) && !stop.isSet {
        await stop.sleep(seconds: pause)
      }
    }
    return try await make(insteadOf: refused)
  }

  private static func isTemporary(_ error: any Error) -> Bool { (error as? ProviderError)?.code == .temporary }

  /// What another process made, or a new one, offered to the others.
  private func make(insteadOf refused: String?) async throws -> Access {
    if let known = try await shared?.read(), known.authorization != refused { return known }
    let askedAt = EpochMilliseconds.now
    let fresh: Access
    do {
      switch try source.begin(now: askedAt) {
      case .ready(let access): fresh = access
      case .exchange(let request): fresh = try source.access(from: try await exchange(request), askedAt: askedAt)
      }
    } catch {
      onRenewal(false)
      throw error
    }
    onRenewal(true)
    return try await shared?.offer(fresh, insteadOf: refused) ?? fresh
  }

  private func finish(_ renewal: Task<HeaderSet, any Error>?) async throws -> HeaderSet {
    guard let renewal else { throw ProviderError(.temporary, "no authorization could be made") }
    return try await renewal.value
  }
}
