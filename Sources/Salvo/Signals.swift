import Base
import Glibc
import Pipeline

/// SIGTERM and SIGINT: while something is sent, the first asks to stop and the second leaves at once; otherwise the
/// first leaves.
enum Signals {
  /// Who is asked, once there is somebody.
  private static let asked = Guarded<(stop: StopState, log: Log)?>(nil)

  /// Must run while the main thread is the only one: all others inherit its mask, so that one thread alone takes the
  /// signals.
  static func takeOver() {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGTERM)
    sigaddset(&signals, SIGINT)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    let set = signals
    Thread(name: "signals") {
      var set = set
      var signal: Int32 = 0
      while true {
        if sigwait(&set, &signal) == 0 { arrived(signal) }
      }
    }.start()
  }

  /// From now on the first signal asks `stop`.
  static func ask(_ stop: StopState, log: Log) { asked.withLock { $0 = (stop, log) } }

  private static func arrived(_ signal: Int32) {
    guard let (stop, log) = asked.withLock({ $0 }) else { _exit(128 + signal) }
    guard !stop.isStopping else { _exit(75) }
    log.info("asked to stop: finishing what is in flight; a second signal leaves at once")
    stop.stop()
    // What is still open then is on record as open windows; whoever runs next accounts for them.
    Thread(name: "grace") {
      var left = UInt32(stop.grace)
      while left > 0 { left = sleep(left) }
      log.warning("the grace of \(Int(stop.grace)) s is over: leaving, run the launch again")
      _exit(75)
    }.start()
  }
}
