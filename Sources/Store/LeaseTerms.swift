internal import Base

/// How long a lease lasts, and until when its holder may send.
///
/// The database ends a lease by its clock, the holder stops by its own, which it read before the database read its:
/// whatever was handed to the network in time has its answer, or its timeout, before anybody else may take the chunk.
struct LeaseTerms {
  /// Renewed by every opening and closing of a window.
  let seconds: Double

  init(seconds: Double = 60) { self.seconds = seconds }

  /// For a clock that runs fast and a process that wakes late: 10 s of 60.
  private var margin: Double { seconds / 6 }

  /// When the holder hands its last message over, for a lease renewed after `start`.
  /// - Parameter requestTimeout: a request handed over at the last moment may still take so long.
  /// - Throws: `StoreError` `.configuration` when that leaves no time for sending.
  func sendBefore(from start: BootInstant, requestTimeout: Double) throws(StoreError) -> BootInstant {
    let sending = seconds - margin - requestTimeout
    guard sending > 0 else {
      throw StoreError(
        .configuration, "a lease of \(seconds) s leaves no time to send when one request may take \(requestTimeout) s")
    }
    return start.advanced(seconds: sending)
  }
}
