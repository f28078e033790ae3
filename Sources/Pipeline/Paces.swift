import Base
import Campaign
import Providers
import Store

/// One pace a credential, and one for the launch: lanes that share a credential share its rate.
final class Paces: Sendable {
  private struct State {
    var paces: [String: Pace] = [:]
    var shares: [RateShare] = []
  }

  private let rates: RateStore
  private let log: Log
  private let state = Guarded(State())

  init(_ rates: RateStore, log: Log) {
    self.rates = rates
    self.log = log
  }

  /// The pace of a channel's credential.
  /// - Parameter name: the credential's fingerprint.
  func pace(of channel: Channel, rules: PaceRules, name: String) -> Pace {
    pace(
      name, rate: channel.settings.rate ?? rules.rate, ramp: channel.settings.rampSeconds ?? rules.ramp,
      rampTarget: rules.rampTarget)
  }

  /// The pace of a whole launch; nil when it has no rate of its own.
  func pace(of launch: Launch) -> Pace? {
    launch.options.rate.map { pace("launch \(launch.id)", rate: $0, ramp: 0, rampTarget: nil) }
  }

  /// What the credential may still ask today; nil where nobody counts.
  func day(of channel: Channel, rules: PaceRules, name: String) -> DayAllowance? {
    guard let limit = channel.settings.requestsPerDay ?? rules.requestsPerDay else { return nil }
    return DayAllowance(rates: rates, name: name, limit: Int64(limit))
  }

  private func pace(_ name: String, rate: Double?, ramp: Double, rampTarget: Double?) -> Pace {
    state.withLock { state in
      if let pace = state.paces[name] { return pace }
      // Nothing goes before the first share is in.
      let pace = Pace(PaceState(share: rate.map { _ in 0 }, ramp: ramp, rampTarget: rate ?? rampTarget, now: .now))
      state.paces[name] = pace
      if let rate { state.shares.append(RateShare(rates: rates, name: name, rate: rate, pace: pace, log: log)) }
      return pace
    }
  }

  /// Renews every share until `isOver`, then lets go of them.
  func run(until isOver: StopFlag) async {
    let shares = state.withLock { $0.shares }
    await withTaskGroup(of: Void.self) { group in
      for share in shares { group.addTask { await share.run(until: isOver) } }
    }
  }
}
