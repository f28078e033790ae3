internal import Base

/// How long a lease lasts, and until when its holder may send.
///
/// The database ends a lease by its clock, the holder stops by its own, which it read before the database read its:
/// whatever was handed to the network in time has its answer, or its timeout, before anybody else may take the chunk.
struct LeaseTerms {
  /// Renewed by every opening and closing of a window.
  let seconds: Double
  /// A request handed over at the last moment may still take so long.
  let requestTimeout: Double

  /// - Parameter requestTimeout: nil: a third of the lease.
  init(seconds: Double = 60, requestTimeout: Double? = nil) {
    self.seconds = seconds
    self.requestTimeout = requestTimeout ?? seconds / 3
  }

  /// For a clock that runs fast and a process that wakes late: 10 s of 60.
  var margin: Double { seconds / 6 }

  /// When the holder hands its last message over, for a lease taken or renewed after `start`.
  func sendBefore(from start: BootInstant) -> BootInstant {
    start.advanced(seconds: max(seconds - margin - requestTimeout, 0))
  }
}
