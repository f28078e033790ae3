internal import Base

/// How long a lease lasts, and until when its holder may send.
///
/// The database ends a lease by its clock, the holder stops by its own, which it read before the database read its:
/// whatever was handed to the network in time has its answer, or its timeout, before anybody else may take the chunk.
struct LeaseTerms {
  /// Renewed by every opening and closing of a window.
  static let seconds = 60.0
  /// For a clock that runs fast and a process that wakes late.
  static let margin = 10.0
  /// A request handed over at the last moment may still take so long.
  let requestTimeout: Double

  /// When the holder hands its last message over, for a lease taken or renewed after `start`.
  func sendBefore(from start: BootInstant) -> BootInstant {
    start.advanced(seconds: max(Self.seconds - Self.margin - requestTimeout, 0))
  }
}
