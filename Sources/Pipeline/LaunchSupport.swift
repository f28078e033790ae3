import Campaign

extension Launch {
  /// What the launch asks for and this version doesn't do. Refused rather than passed over: whoever asked for
  /// an inbox must not find that it was ignored.
  func refuseUnsupported() throws(RunError) {
    var names: [String] = []
    if options.writesInbox { names.append("inbox") }
    if !options.targets.isEmpty { names.append("targets") }
    if options.mostRecentOnly { names.append("most_recent_only") }
    if options.analyticsLabel != nil { names.append("analytics_label") }
    guard names.isEmpty else {
      throw RunError(
        .content, "launch \(id): its options ask for \(names.joined(separator: ", ")), which this version doesn't do")
    }
  }
}
