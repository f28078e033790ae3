import Campaign

extension Launch {
  /// What the launch asks for and this version doesn't do. Refused rather than passed over: whoever set quiet hours
  /// must not find that they were ignored.
  func refuseUnsupported() throws(RunError) {
    var names: [String] = []
    if options.localTime != nil { names.append("local_time") }
    if options.quietHours != nil { names.append("quiet_hours") }
    guard names.isEmpty else {
      throw RunError(
        .content, "launch \(id): its options ask for \(names.joined(separator: ", ")), which this version doesn't do")
    }
  }
}
