import Base

/// Numbers as people read them.
public enum Figures {
  /// `1,234,567`
  public static func grouped(_ number: Int64) -> String {
    let digits = String(number.magnitude)
    var grouped = ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index) % 3 == 0 { grouped.append(",") }
      grouped.append(digit)
    }
    return number < 0 ? "-" + grouped : grouped
  }

  /// `0:07`, `12:34`, `1:02:03`, `3 d 4 h`: rounded to the second.
  public static func duration(_ seconds: Double) -> String {
    guard seconds.isFinite, seconds < 1e11 else { return "never" }
    let whole = Int64(max(0, seconds).rounded())
    let (minutes, hours, days) = (whole / 60, whole / 3_600, whole / 86_400)
    func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
    if days > 0 { return "\(days) d \(hours % 24) h" }
    if hours > 0 { return "\(hours):\(two(minutes % 60)):\(two(whole % 60))" }
    return "\(minutes):\(two(whole % 60))"
  }

  /// `0.42 s`, `7.1 s`, `95 s`, then as `duration`.
  static func seconds(_ seconds: Double) -> String {
    if seconds < 1 { return decimal(seconds, 2) + " s" }
    if seconds < 10 { return decimal(seconds, 1) + " s" }
    return seconds < 100 ? decimal(seconds, 0) + " s" : duration(seconds)
  }

  /// `812`, `8.1`: messages a second.
  static func rate(_ rate: Double) -> String { decimal(rate, rate < 10 && rate > 0 ? 1 : 0) }

  /// `62 %`; never 100 before all is there, never 0 when something is.
  static func percent(_ part: Int64, of whole: Int64) -> Int64 {
    guard whole > 0, part > 0 else { return 0 }
    if part >= whole { return 100 }
    return min(99, max(1, Int64((Double(part) / Double(whole) * 100).rounded())))
  }

  /// With `places` digits behind the point, rounded.
  public static func decimal(_ number: Double, _ places: Int) -> String {
    guard number.isFinite, abs(number) < 1e12 else { return "-" }
    let scale = [1, 10, 100, 1_000][min(max(places, 0), 3)]
    let scaled = Int64((abs(number) * Double(scale)).rounded())
    let sign = number < 0 && scaled > 0 ? "-" : ""
    guard places > 0 else { return "\(sign)\(scaled)" }
    let rest = String(scaled % Int64(scale))
    return "\(sign)\(scaled / Int64(scale)).\(String(repeating: "0", count: max(0, places - rest.count)))\(rest)"
  }
}
