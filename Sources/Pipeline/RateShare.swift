import Base
import Store

/// Keeps this runner's part of one rate: asks for it before the first message, renews it while the lane sends, and
/// lets go of it at the end.
struct RateShare: Sendable {
  /// Seconds between renewals: a runner that comes later waits as long for its part.
  static let interval = 3.0
  /// While it has less than it could: sooner.
  static let shortInterval = 0.5

  let rates: RateStore
  /// Whose rate: a credential's fingerprint, or a launch.
  let name: String
  /// The whole, units a second.
  let rate: Double
  let pace: Pace
  let log: Log

  /// Renews until `isOver`.
  func run(until isOver: StopFlag) async {
    var validUntil = BootInstant.now
    while !isOver.isSet {
      let asked = BootInstant.now
      var pause = Self.interval
      do {
        let share = try await rates.share(of: name, rate: rate)
        validUntil = asked.advanced(seconds: rates.lease)
        pace.shareChanged(share)
        if share == 0 { pause = Self.shortInterval }
      } catch {
        log.warning("the part of the rate was not renewed: \(error)")
        // Somebody else may hold it by now.
        if validUntil < .now { pace.shareChanged(0) }
        pause = Self.shortInterval
      }
      await isOver.sleep(seconds: pause)
    }
    do { try await rates.release(name) } catch { log.warning("a part of the rate was not given back: \(error)") }
  }
}
