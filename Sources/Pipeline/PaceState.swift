import Base

/// How fast a lane may go at this moment: a bucket that fills at a rate and may go into debt, so that a request of a
/// thousand tokens passes whole and the next one waits for it.
///
/// The rate is the least of what the settings share out, what the ramp allows so far, and what a throttled provider
/// seems to bear: half of what it got when it said "slow down", then a tenth more each second until it is forgotten.
struct PaceState: Sendable {
  /// Of the full rate, where a ramp begins: with a rate of one's own, and with the provider's limit for one, of which
  /// most launches don't reach the half.
  static let rampStart = 0.1
  static let rampStartToLimit = 0.5
  /// What a throttled lane is slowed to, as a share of what it did.
  static let slowdown = 0.5
  /// Growth a second after that.
  static let recovery = 1.1
  /// A bucket never holds more than so many seconds of its rate.
  static let burst = 0.25
  /// Never slower than this many units a second: a lane that is throttled must still find out when it is over.
  static let floor = 1.0

  private let ramp: Double
  /// What the ramp rises to: the rate, or the provider's own limit where no rate is set.
  private let rampTarget: Double?
  private let rampStart: Double
  /// This runner's part of the rate; nil = unlimited, 0 = none yet.
  private var share: Double?
  private var level = 0.0
  private var filledAt: BootInstant
  private var startedAt: BootInstant?
  private var bearable: (rate: Double, since: BootInstant)?
  private var taken: (units: Double, since: BootInstant)

  /// - Parameters:
  ///   - share: units a second that this runner may use to begin with.
  ///   - ramp: seconds from the first message until the full rate; 0 = at once.
  init(share: Double?, ramp: Double = 0, rampTarget: Double? = nil, now: BootInstant) {
    self.share = share
    self.ramp = ramp
    self.rampTarget = rampTarget ?? share
    rampStart = share == nil ? Self.rampStartToLimit : Self.rampStart
    filledAt = now
    taken = (0, now)
  }

  /// What the lane's runners share out changed.
  mutating func shareChanged(_ share: Double?, now: BootInstant) {
    fill(now)
    self.share = share
  }

  /// Takes `units` if the bucket is not in debt.
  /// - Returns: seconds to wait before asking again; 0 = taken.
  mutating func take(_ units: Int, now: BootInstant) -> Double {
    if startedAt == nil { startedAt = now }
    fill(now)
    if let rate = rate(now) {
      guard rate > 0 else { return 1 }
      if level < 0 { return min(-level / rate, 1) }
      level -= Double(units)
    }
    note(Double(units), now)
    return 0
  }

  /// The provider said that it is too much.
  mutating func throttled(now: BootInstant) {
    // One wave of refusals is one word.
    if let bearable, Self.seconds(from: bearable.since, to: now) < 1 { return }
    let observed = taken.units / max(Self.seconds(from: taken.since, to: now), 1)
    let current = min(rate(now) ?? observed, max(observed, Self.floor))
    fill(now)
    bearable = (max(current * Self.slowdown, Self.floor), now)
  }

  /// Units a second now; nil = as fast as it goes.
  mutating func rate(_ now: BootInstant) -> Double? {
    var rate = share
    if ramp > 0, let startedAt, let rampTarget {
      let part = Self.seconds(from: startedAt, to: now) / ramp
      if part < 1 {
        let risen = rampTarget * max(rampStart, part)
        rate = min(rate ?? risen, risen)
      }
    }
    if let bearable {
      var grown = bearable.rate
      for _ in 0..<Int(min(Self.seconds(from: bearable.since, to: now), 120)) { grown *= Self.recovery }
      // Ten times what it bore: it is over.
      if grown >= bearable.rate * 10 {
        self.bearable = nil
      } else {
        rate = min(rate ?? grown, grown)
      }
    }
    return rate
  }

  private mutating func fill(_ now: BootInstant) {
    let elapsed = Self.seconds(from: filledAt, to: now)
    filledAt = now
    guard let rate = rate(now) else {
      level = 0
      return
    }
    level = min(level + elapsed * rate, rate * Self.burst)
  }

  /// Over the last two seconds or so.
  private mutating func note(_ units: Double, _ now: BootInstant) {
    if Self.seconds(from: taken.since, to: now) > 2 { taken = (0, now) }
    taken.units += units
  }

  private static func seconds(from: BootInstant, to: BootInstant) -> Double {
    (Double(to.nanoseconds) - Double(from.nanoseconds)) / 1e9
  }
}
