import Base

/// Which due launch a process begins next: none that it is at already, and none that failed a moment ago.
struct LaunchTurns {
  private struct Rest {
    var until: BootInstant
    var failures: Int
  }

  /// One try at a launch, then none: a pass that ends.
  let triesOnce: Bool
  private var busy: Set<Int64> = []
  private var resting: [Int64: Rest] = [:]

  init(triesOnce: Bool) { self.triesOnce = triesOnce }

  /// The first of these that may be begun; it counts as begun.
  mutating func next(of due: [Int64], at now: BootInstant) -> Int64? {
    let next = due.first { !busy.contains($0) && (resting[$0]?.until ?? now) <= now }
    if let next { busy.insert(next) }
    return next
  }

  /// Somebody asked for it: begun whatever happened before, unless it is under way.
  mutating func begin(_ launch: Int64) -> Bool { busy.insert(launch).inserted }

  /// - Parameter isWell: false after an error: 5 s of rest, doubled each time up to 5 minutes.
  mutating func ended(_ launch: Int64, isWell: Bool, at now: BootInstant) {
    busy.remove(launch)
    if triesOnce {
      resting[launch] = Rest(until: .distantFuture, failures: 0)
    } else if isWell {
      // A moment all the same: what is left may be other runners' work.
      resting[launch] = Rest(until: now.advanced(seconds: 1), failures: 0)
    } else {
      let failures = (resting[launch]?.failures ?? 0) + 1
      let seconds = min(5 * Double(1 << min(failures - 1, 6)), 300)
      resting[launch] = Rest(until: now.advanced(seconds: seconds), failures: failures)
    }
  }
}
