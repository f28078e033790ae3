import Glibc

extension EpochMilliseconds {
  /// RFC 3339 in UTC, whole seconds: `2026-11-30T02:57:24Z`.
  public var rfc3339: String { Self.text(of: seconds, "%Y-%m-%dT%H:%M:%SZ", gmtime_r) }

  /// For people, in the zone of `TZ` or the machine: `2026-11-30 03:57 CET`.
  public var localText: String { Self.text(of: seconds, "%Y-%m-%d %H:%M %Z", localtime_r) }

  private static func text(
    of seconds: Int64, _ form: String,
    _ split: (UnsafePointer<time_t>, UnsafeMutablePointer<tm>) -> UnsafeMutablePointer<tm>?
  ) -> String {
    var time = time_t(seconds)
    var parts = tm()
    guard split(&time, &parts) != nil else { return "\(seconds) s" }
    var text = [CChar](repeating: 0, count: 64)
    let count = strftime(&text, text.count, form, &parts)
    return String(decoding: text.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
