/// A time on somebody's clock, to the minute.
public struct TimeOfDay: Sendable, Hashable, CustomStringConvertible {
  /// 0…1439
  public let minutesAfterMidnight: Int

  /// Reads `HH:MM`, 00:00 to 23:59; nil for anything else.
  public init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard bytes.count == 5, bytes[2] == UInt8(ascii: ":"),
      [0, 1, 3, 4].allSatisfy({ (0x30...0x39).contains(bytes[$0]) })
    else { return nil }
    let hours = Int(bytes[0] - 0x30) * 10 + Int(bytes[1] - 0x30)
    let minutes = Int(bytes[3] - 0x30) * 10 + Int(bytes[4] - 0x30)
    guard hours < 24, minutes < 60 else { return nil }
    minutesAfterMidnight = hours * 60 + minutes
  }

  /// `HH:MM`
  public var description: String {
    let (hours, minutes) = minutesAfterMidnight.quotientAndRemainder(dividingBy: 60)
    return "\(hours / 10)\(hours % 10):\(minutes / 10)\(minutes % 10)"
  }
}
