import Base
import Campaign
import Providers
import Rendering
import Store
import Transport

/// Renders the recipients of one lane as its run would, and hands nothing to the network.
struct LaneExamination: Sendable {
  /// Rows read at a time.
  static let pageSize = 2_000
  /// Places from which a sample is taken.
  static let samplePlaces: Int64 = 10

  let lane: PreparedLane
  /// The same with `missing` `reject`, where the launch's is `blank`: it tells what is missing.
  let strict: PreparedLane?
  let audience: AudienceReader
  /// All of the launch.
  let channels: [Int64]

  private var launch: Int64 { lane.launch.id }
  private var channel: Int64 { lane.channel.id }
  private var columns: PersonalColumns { lane.renderer.columns }

  /// How many recipients there are, and what became of all of them, or of so many.
  func run(sample: Int?) async throws -> (recipients: Int64, tally: LaneTally) {
    if let targets = lane.targets {
      let page = targets.addressing(
        RecipientPage(
          rows: targets.keys.map {
            Recipient(
              key: $0, state: .gone, registeredAt: .now, token: ByteRange(lower: 0, upper: 0))
          }))
      return (Int64(page.rows.count), await tally(of: page, duplicates: [], older: []))
    }
    let extent = try await audience.extent(launch: launch, channel: channel)
    var duplicates = SkipCursor(.duplicate, audience, launch: launch, channel: channel, channels: channels)
    var older = SkipCursor(.older, audience, launch: launch, channel: channel, channels: channels)
    var tally = LaneTally()
    var cursor = RecipientKey(profileID: 0, subscriptionID: 0)
    let places = sample.map { max(1, min(Int64($0), Self.samplePlaces)) } ?? 1
    let step = max(1, (extent.profiles.upperBound - extent.profiles.lowerBound) / places)
    for place in 0..<places {
      cursor = max(
        cursor, RecipientKey(profileID: extent.profiles.lowerBound + place * step - 1, subscriptionID: .max))
      var left = sample.map { (Int64($0) - tally.examined) / (places - place) } ?? .max
      while left > 0 {
        let page = try await audience.page(
          launch: launch, channel: channel, after: cursor, limit: Int(min(left, Int64(Self.pageSize))),
          columns: columns.union(strict?.renderer.columns ?? []))
        guard let last = page.rows.last?.key else { break }
        try await duplicates.cover(after: cursor, through: last)
        try await older.cover(after: cursor, through: last)
        tally.merge(await self.tally(of: page, duplicates: duplicates.keys, older: older.keys))
        cursor = last
        left -= Int64(page.rows.count)
      }
    }
    return (extent.count, tally)
  }

  /// Slice by slice, on all cores.
  private func tally(
    of page: RecipientPage, duplicates: Set<RecipientKey>, older: Set<RecipientKey>
  ) async -> LaneTally {
    var whole = LaneTally()
    var messages: [Int] = []
    for (index, row) in page.rows.enumerated() {
      if let reason = row.reasonToSkip(duplicates: duplicates, older: older) {
        whole.skip(reason)
      } else {
        messages.append(index)
      }
    }
    await withTaskGroup(of: LaneTally.self) { group in
      for start in stride(from: 0, to: messages.count, by: lane.sizing.slice) {
        let slice = messages[start..<min(start + lane.sizing.slice, messages.count)]
        group.addTask { tally(of: slice, in: page) }
      }
      for await part in group { whole.merge(part) }
    }
    return whole
  }

  private func tally(of messages: ArraySlice<Int>, in page: RecipientPage) -> LaneTally {
    var tally = LaneTally()
    func key(_ message: Int) -> RecipientKey { page.rows[message].key }
    var rest = messages
    while !rest.isEmpty {
      let rendering = SliceRendering(rest, of: page, firstRow: 0, by: lane)
      for refusal in rendering.refusals {
        tally.reject(key(refusal.message), reason: refusal.reason, detail: refusal.detail)
      }
      if let strict {
        for rejection in strict.renderer.render(rendering.input).rejections where rejection.reason == "missing_value" {
          tally.missing(rejection.detail, key(rendering.indices[rejection.input]))
        }
      }
      let batch = lane.adapter.requests(
        for: rendering.slice, input: rendering.input, headers: HeaderSet([]), requestKey: 0)
      for large in batch.tooLarge {
        let refusal = rendering.refusal(of: large, limit: lane.adapter.limits.payload)
        tally.reject(key(refusal.message), reason: refusal.reason, detail: refusal.detail)
      }
      for (request, span) in batch.spans.enumerated() {
        let problems = Acceptance.problems(
          in: Array(batch.page.bytes[batch.page.requests[request].body.range]), provider: lane.channel.provider,
          profile: lane.channel.profile)
        for message in span.messages {
          let recipient = key(rendering.indices[rendering.slice.messages[message].input])
          tally.accept(recipient, bytes: lane.adapter.payloadSize(of: message, in: batch, request: request))
          for problem in problems { tally.problem(problem.description, recipient) }
        }
      }
      // A transfer takes as many as fit.
      guard batch.taken > 0 else { break }
      rest = rendering.slice.messages.dropFirst(batch.taken).map { rendering.indices[$0.input] }[...]
    }
    return tally
  }
}
