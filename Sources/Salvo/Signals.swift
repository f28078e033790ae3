import Base
import Glibc
import Pipeline

/// SIGTERM and SIGINT: the first asks to stop, the second leaves at once.
enum Signals {
  /// Must run before other threads start, so that all inherit the mask and one thread alone takes the signals.
  static func stopOnce(_ stop: StopState, log: Log) {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGTERM)
    sigaddset(&signals, SIGINT)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    let set = signals
    Thread(name: "signals") {
      var signals = set
      var received: Int32 = 0
      while sigwait(&signals, &received) != 0 {}
      log.info("asked to stop: finishing what is in flight; a second signal leaves at once")
      stop.stop()
      while sigwait(&signals, &received) != 0 {}
      _exit(75)
    }.start()
  }
}
