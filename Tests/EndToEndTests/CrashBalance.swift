import Testing

/// What the books of a finished launch say, held against what the providers saw.
struct CrashBalance: CustomStringConvertible {
  /// Planned messages without a final outcome, or with two.
  var lost = 0
  /// Requests that the providers saw beyond those that were recorded.
  var duplicates = 0
  /// Messages called sent that no provider took.
  var falseSent = 0
  var unknown = 0
  /// What `unknown` may be after so many runners died.
  var bound = 0

  var isRight: Bool { lost == 0 && duplicates == 0 && falseSent == 0 && unknown <= bound }

  var description: String {
    "lost \(lost), duplicates \(duplicates), false sent \(falseSent), unknown \(unknown) (bound \(bound))"
  }

  /// - Parameters:
  ///   - died: runners that were killed, or held back for longer than their lease.
  ///   - hasJournal: each was followed by another that had its journal.
  init(of launch: TestLaunch, died: Int, hasJournal: Bool) async throws {
    let planned = try await launch.count("sum(planned)", from: "lane")
    let final = try await launch.count("count(*)", from: "final_outcome", where: "outcome <> 7")
    lost = abs(planned - final)

    // By token, which is one message's: how often it was recorded as handed over, and what became of it.
    let rows = try await launch.stack.sql(
      """
      select s.token, r.requests, f.outcome
      from salvo.final_outcome f
      join salvo.subscription s on s.profile_id = f.profile_id and s.id = f.subscription_id
      join (
        select profile_id, subscription_id, sum(requests) as requests from salvo.delivery
        where launch_id = \(launch.id) group by 1, 2
      ) r on r.profile_id = f.profile_id and r.subscription_id = f.subscription_id
      where f.launch_id = \(launch.id)
      """)
    let ledger = try await launch.stack.ledger()
    let seen = Dictionary(grouping: ledger, by: \.token)
    for row in rows {
      let parts = row.split(separator: "|").map(String.init)
      guard parts.count == 3, let requests = Int(parts[1]) else { continue }
      let lines = seen[parts[0]] ?? []
      duplicates += max(0, lines.count - requests)
      if parts[2] == "1", !lines.contains(where: \.accepted) { falseSent += 1 }
      if parts[2] == "6" { unknown += 1 }
    }
    let known = Set(rows.compactMap { $0.split(separator: "|").first.map(String.init) })
    duplicates += ledger.count { !known.contains($0.token) }

    if hasJournal {
      // What was in flight: a lane's streams, one message each. What got no answer in time, under a runner that lived,
      // is no matter of the crash.
      let inFlight = try await launch.stack.number(
        """
        select coalesce(sum((settings->>'connections')::int * (settings->>'streams')::int), 0) from salvo.channel
        where account_id = \(launch.account) and provider not like '%-appmetrica'
        """)
      let unanswered = try await launch.count(
        "count(*)", from: "delivery", where: "outcome = 6 and reason <> 'in_doubt'")
      bound = died * inFlight + unanswered
      return
    }
    // Three windows a lane, by the largest that each had. A lane that asks its provider leaves nothing in doubt.
    let open = try await launch.stack.number(
      """
      select coalesce(sum(largest), 0) * 3 from (
        select max(w.planned) as largest from salvo.send_window w join salvo.channel h on h.id = w.channel_id
        where w.launch_id = \(launch.id) and h.provider not like '%-appmetrica' group by w.channel_id) w
      """)
    bound = died * open
  }
}

/// Random numbers that a seed repeats (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64
  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
