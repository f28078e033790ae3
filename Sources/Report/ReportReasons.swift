import Base
import Campaign
import Store

/// Why messages weren't sent, and what is known of those whose fate isn't.
struct ReportReasons {
  private let report: LaunchReport
  private var total: LaneProgress { report.status.total }

  init(_ report: LaunchReport) { self.report = report }

  // MARK: Reasons

  var reasons: HTML {
    let details = table { _ in true }
    guard !details.isEmpty else {
      if total.accounted == total.sent { return "<p>Every message so far was sent.</p>\n" }
      return "<p>The launch's messages were taken away with age; their sums above stay.</p>\n"
    }
    struct Kind: Hashable {
      let outcome: Outcome
      let reason: String
    }
    let sums = report.status.reasons.reduce(into: [Kind: Int64]()) {
      $0[Kind(outcome: $1.outcome, reason: $1.reason), default: 0] += $1.messages
    }
    var table = HTMLTable(["Outcome", "Reason", "#messages", "#of the audience"])
    for (kind, messages) in sums.sorted(by: { ($1.value, $0.key.reason) < ($0.value, $1.key.reason) }) {
      table.add([
        "\(kind.outcome.name)", "\(foreign: kind.reason.isEmpty ? "-" : kind.reason)", "\(messages)",
        "\(Figures.decimal(Double(messages) / Double(max(total.planned, 1)) * 100, 2)) %",
      ])
    }
    return """
      \(table.html)
      \(report.status.lanes.count > 1 ? "<h3>By channel</h3>\n\(details.html)" : .empty)
      <p class="note"><code>deferred</code> is not an end: a later attempt is planned, and the message counts as
      remaining.</p>

      """
  }

  /// By channel, outcome and reason; a channel is named in its first row.
  private func table(_ isShown: (ReasonCount) -> Bool) -> HTMLTable {
    var table = HTMLTable(["Channel", "Provider", "Outcome", "Reason", "#messages"])
    for lane in report.status.lanes {
      var isFirst = true
      for reason in lane.reasons where isShown(reason) {
        table.add([
          isFirst ? "\(foreign: lane.progress.channelName)" : .empty, isFirst ? "\(lane.progress.provider)" : .empty,
          "\(reason.outcome.name)", "\(foreign: reason.reason.isEmpty ? "-" : reason.reason)", "\(reason.messages)",
        ])
        isFirst = false
      }
    }
    return table
  }

  // MARK: Answers

  var answers: HTML {
    var table = HTMLTable(["Channel", "Outcome", "#HTTP status", "Provider's code", "#messages"])
    for answer in report.answers {
      table.add([
        "\(foreign: report.channelName(answer.channelID))", "\(answer.outcome.name)",
        answer.httpStatus.map { "\(String($0))" } ?? "-", "\(foreign: answer.providerCode ?? "-")",
        "\(answer.messages)",
      ])
    }
    guard !table.isEmpty else { return .empty }
    return """
      <p class="note">The fifty most frequent answers to messages that were not sent, in the providers' own codes.</p>
      \(table.html)
      """
  }

  // MARK: Unknown

  var unknown: HTML {
    var settled = HTMLTable(["Settled by", "As", "#messages"])
    for settlement in report.settlements {
      settled.add(["\(foreign: settlement.source)", "\(settlement.outcome.name)", "\(settlement.messages)"])
    }
    if total.unknown == 0, settled.isEmpty { return .empty }
    let id = String(report.status.id)
    let list: HTML =
      total.unknown == 0
      ? "<p>No message is unknown any more.</p>\n"
      : """
      <p>\(total.unknown) messages were handed over and no answer came: they may have arrived.
      <code>salvo report \(id) --rows --outcome unknown</code> lists them,
      <code>salvo retry \(id) --outcome unknown</code> sends them again as a recorded attempt.</p>

      """
    let table = table { $0.outcome == .unknown }
    return list + (table.isEmpty ? .empty : table.html)
      + (settled.isEmpty ? .empty : "<h3>What became of others that were unknown</h3>\n\(settled.html)")
  }

  // MARK: Retired

  var retired: HTML {
    let table = table { $0.outcome == .tokenRetired }
    guard !table.isEmpty else { return .empty }
    return """
      <p>Providers called the tokens of \(total.tokenRetired) messages dead. Their subscriptions are retired, unless the
      device registered anew meanwhile, or the reason is <code>suspect</code>: then the channel's breaker held it
      back.</p>
      \(table.html)
      """
  }

  // MARK: Variants

  var variants: HTML {
    var table = HTMLTable(["Variant", "Outcome", "#messages"])
    for variant in report.variants {
      table.add(["\(foreign: variant.variant)", "\(variant.outcome.name)", "\(variant.messages)"])
    }
    return table.isEmpty ? .empty : table.html
  }
}
