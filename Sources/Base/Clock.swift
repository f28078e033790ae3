internal import CLinux

/// A moment on the machine's own clock since boot, suspended time included. Only for deadlines on this machine.
public struct BootInstant: Sendable, Comparable, Hashable {
  /// Nanoseconds since boot (CLOCK_BOOTTIME).
  public let nanoseconds: UInt64

  /// - Parameter nanoseconds: since boot.
  public init(nanoseconds: UInt64) { self.nanoseconds = nanoseconds }

  /// This moment.
  public static var now: BootInstant { BootInstant(nanoseconds: clinux_boottime_nanoseconds()) }

  /// Further away than any process lives.
  public static let distantFuture = BootInstant(nanoseconds: .max)

  public static func < (a: BootInstant, b: BootInstant) -> Bool { a.nanoseconds < b.nanoseconds }

  /// `seconds` later; never past `distantFuture`, never before boot.
  public func advanced(seconds: Double) -> BootInstant {
    let moved = Double(nanoseconds) + seconds * 1e9
    guard moved > 0 else { return BootInstant(nanoseconds: 0) }
    if moved >= Double(UInt64.max) { return .distantFuture }
    return BootInstant(nanoseconds: UInt64(moved))
  }

  /// Seconds from now until then; negative when it is past.
  public var secondsFromNow: Double {
    (Double(nanoseconds) - Double(BootInstant.now.nanoseconds)) / 1e9
  }
}

/// A moment in the world: milliseconds since 1970-01-01T00:00:00Z, no leap seconds.
public struct EpochMilliseconds: Sendable, Comparable, Hashable {
  /// Milliseconds since 1970-01-01T00:00:00Z.
  public var value: Int64

  /// - Parameter value: milliseconds since 1970-01-01T00:00:00Z.
  public init(_ value: Int64) { self.value = value }

  /// This moment by the machine's clock.
  public static var now: EpochMilliseconds {
    EpochMilliseconds(clinux_realtime_nanoseconds() / 1_000_000)
  }

  public static func < (a: EpochMilliseconds, b: EpochMilliseconds) -> Bool { a.value < b.value }

  /// Whole seconds since the epoch, rounded down.
  public var seconds: Int64 {
    let (quotient, remainder) = value.quotientAndRemainder(dividingBy: 1000)
    return remainder < 0 ? quotient - 1 : quotient
  }

  /// `seconds` later, to the millisecond; at the ends of Int64 it stays there. No number of seconds changes nothing.
  public func adding(seconds: Double) -> EpochMilliseconds {
    guard !seconds.isNaN else { return self }
    let end: Int64 = seconds < 0 ? .min : .max
    guard let milliseconds = Int64(exactly: (seconds * 1000).rounded()) else { return EpochMilliseconds(end) }
    let (sum, isTooFar) = value.addingReportingOverflow(milliseconds)
    return EpochMilliseconds(isTooFar ? end : sum)
  }
}
