import Campaign
import Store

/// Follows the recipients of a lane with those whom the plan would leave out, some tens of thousands at a time.
struct SkipCursor {
  private static let limit = 50_000

  private let skip: AudienceReader.Skip
  private let audience: AudienceReader
  private let launch: Int64
  private let channel: Int64
  private let channels: [Int64]
  private(set) var keys: Set<RecipientKey> = []
  /// The last of the keys; nil = nothing was read yet.
  private var last: RecipientKey?
  private var isWhole = false

  init(_ skip: AudienceReader.Skip, _ audience: AudienceReader, launch: Int64, channel: Int64, channels: [Int64]) {
    self.skip = skip
    self.audience = audience
    self.launch = launch
    self.channel = channel
    self.channels = channels
  }

  /// Reads on, if need be, until it holds all between the two keys. A page has fewer rows than are read at a time.
  mutating func cover(after first: RecipientKey, through end: RecipientKey) async throws {
    if isWhole { return }
    if let last, last >= end { return }
    let found = try await audience.skipped(
      skip, launch: launch, channel: channel, among: channels, after: first, limit: Self.limit)
    keys = Set(found)
    last = found.last
    isWhole = found.count < Self.limit
  }
}
