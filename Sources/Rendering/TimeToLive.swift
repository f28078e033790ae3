/// How long a message may wait for its device; what it looks like depends on the member it stands in.
struct TimeToLive: Sendable, Equatable {
  let milliseconds: Int64
  /// Seconds since 1970 when the message expires, fixed when the launch is first planned so that a retry does not
  /// move it. 0 for a time to live of 0: APNs then tries once and stores nothing.
  let expiresAt: Int64
  /// Huawei takes whole seconds only.
  let isWholeSeconds: Bool

  init(milliseconds: Int64, startedAt: Int64, notAfter: Int64?, isWholeSeconds: Bool) {
    self.milliseconds = milliseconds
    self.isWholeSeconds = isWholeSeconds
    if milliseconds == 0 {
      expiresAt = 0
    } else {
      let (end, overflow) = startedAt.addingReportingOverflow(milliseconds)
      expiresAt = min(overflow ? .max : end, notAfter ?? .max) / 1000
    }
  }

  var seconds: Int64 { milliseconds / 1000 }

  /// Seconds with what remains of them: `3600`, `3.5`.
  private var decimalSeconds: String {
    let rest = milliseconds % 1000
    if rest == 0 || isWholeSeconds { return String(seconds) }
    var digits = String(rest + 1000).dropFirst()
    while digits.hasSuffix("0") { digits.removeLast() }
    return "\(seconds).\(digits)"
  }

  /// As written in the member `name`: `3600s` in `ttl`, the moment of expiry in `apns-expiration`, else seconds.
  func text(in name: String?) -> String {
    switch name {
    case "ttl": decimalSeconds + "s"
    case "time_to_live", "expiration": String(seconds)
    case "apns-expiration": String(expiresAt)
    default: decimalSeconds
    }
  }

  /// Whether it is a text there even when the template puts no quotes around it.
  func isText(in name: String?) -> Bool { name == "ttl" }
}
