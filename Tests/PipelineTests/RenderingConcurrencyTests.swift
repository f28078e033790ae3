import Base
import Campaign
import Glibc
import Providers
import Rendering
import Testing
import Transport

@testable import Pipeline
@testable import Store

@Suite("Rendering uses all cores")
struct RenderingConcurrencyTests {
  /// Where threads that render wait for each other. Met once, it lets everybody through.
  private final class MeetingPoint: Sendable {
    private let threads = Guarded<Set<UInt>>([])

    var count: Int { threads.withLock { $0.count } }

    /// Blocks this thread until another one is here too; gives up after half a minute, when none can be expected.
    func wait() {
      let count = threads.withLock { threads in
        threads.insert(UInt(pthread_self()))
        return threads.count
      }
      if count > 1 { return }
      let end = BootInstant.now.advanced(seconds: 30)
      while self.count < 2, .now < end { usleep(1_000) }
    }
  }

  /// Stands between rows and the network: the slice's first token is taken right before its payloads are rendered, on
  /// the same thread, with nothing awaited in between. Finds every payload too large, so nothing is sent.
  private struct WaitingLane: ProviderLane {
    let pool = PoolConfiguration(name: "test", endpoint: "https://localhost", connections: 1, streams: 1)
    let access: any AccessSource = NoAccess()
    let messagesPerRequest = 1
    let limits = PayloadLimits(payload: 1)
    let meeting: MeetingPoint
    let slice: Int

    func headerLines(_ access: Access) -> [String] { [] }

    func appendToken(_ token: ArraySlice<UInt8>, to out: inout [UInt8]) -> Bool {
      if let number = Int(String(decoding: token, as: UTF8.self)), number.isMultiple(of: slice) { meeting.wait() }
      out += token
      return true
    }

    func requests(
      for slice: RenderedSlice, input: RenderInput, headers: HeaderSet, requestKey: Int64
    ) -> RequestBatch {
      RequestBatch(
        page: RequestPage(bytes: [], requests: [], headers: headers), spans: [], slice: slice, input: input,
        tooLarge: slice.messages.indices.map { ($0, slice.messages[$0].body.count) })
    }

    func verdicts(
      for exchange: Exchange, of span: RequestSpan, in batch: RequestBatch, now: EpochMilliseconds
    ) -> [MessageVerdict] { [] }
  }

  private struct NoAccess: AccessSource {
    func begin(now: EpochMilliseconds) -> AccessStep {
      .ready(Access(authorization: nil, renewAt: EpochMilliseconds(.max), validUntil: EpochMilliseconds(.max)))
    }
  }

  @Test(
    "slices of one window are rendered on more than one thread at once",
    .enabled(if: sysconf(Int32(_SC_NPROCESSORS_ONLN)) > 1), .timeLimit(.minutes(1)))
  func slicesSideBySide() async throws {
    let meeting = MeetingPoint()
    let window = try window(of: 1_000, meeting)
    let close = await window.run(skip: [])
    #expect(meeting.count > 1)
    // All of them were rendered, and none was sent.
    #expect(close.rows.count == 1_000)
    #expect(close.rows.allSatisfy { $0.outcome == .rejected && $0.reason == "too_large" && $0.requests == 0 })
    #expect(Set(close.rows.map(\.uid)).count == 1_000)
  }

  private func window(of count: Int, _ meeting: MeetingPoint) throws -> Window {
    let channel = Channel(
      id: 3, accountID: 1, resourceID: 1, provider: "test", name: "test", isEnabled: true, profile: .custom,
      template: nil, settings: ChannelSettings(), credential: .environment("NONE"))
    let launch = Launch(
      id: 5, account: Account(id: 1, name: "Shop", settings: AccountSettings()), campaignID: 2, campaignName: "Sale",
      state: .running, content: Content(), options: LaunchOptions(), notBefore: nil, notAfter: nil,
      startedAt: EpochMilliseconds(1_760_000_000_000))
    let template = TemplateSource(name: "test", text: Array(#"{"to": "{{.SubscriptionID}}", "id": "{{.UID}}"}"#.utf8))
    let sizing = WindowSizing(inFlight: 500, messagesPerRequest: 1, isShared: false, settlesLater: false)
    let adapter = WaitingLane(meeting: meeting, slice: sizing.slice)
    let renderer = try PageRenderer(
      shape: PayloadShape(template: template), launch: launch, channel: channel, platform: .android,
      providerTitle: "Test", links: nil, group: 1)
    let lane = PreparedLane(
      launch: launch, channel: channel, adapter: adapter, renderer: renderer,
      pool: try Pool(adapter.pool),
      access: AccessKeeper(
        source: adapter.access, lines: { _ in [] }, exchange: { _ in throw ProviderError(.temporary, "nobody to ask") }),
      pace: LanePace(
        credential: Pace(PaceState(share: nil, ramp: 0, rampTarget: nil, now: .now)), launch: nil, day: nil,
        unit: .messages),
      sizing: sizing, metrics: LaneMetrics(Metrics(), launch: launch.id, channel: channel),
      compose: { _ in (adapter, renderer) })
    #expect(sizing.window == count)
    var page = RecipientPage()
    for number in 0..<count {
      let start = page.bytes.count
      page.bytes += Array("\(number)".utf8)
      page.rows.append(
        Recipient(
          key: RecipientKey(profileID: Int64(number + 1), subscriptionID: Int64(number + 1)), state: .active,
          registeredAt: EpochMilliseconds(0), token: ByteRange(lower: start, upper: page.bytes.count)))
    }
    let deadline = BootInstant.now.advanced(seconds: 60)
    let lease = ChunkLease(
      launchID: 5, channelID: 3, chunkNo: 0, kind: .first, attempt: 1, token: 1,
      cursor: RecipientKey(profileID: 0, subscriptionID: 0), upper: page.rows[count - 1].key, planned: Int32(count),
      skip: [], ids: nil)
    return Window(
      lane: lane,
      control: LaneControl(breaker: Breaker(settings: BreakerSettings()), processStop: StopFlag(), onStop: { _ in }),
      log: Log(),
      page: page, rows: 0..<count, lease: lease, open: OpenWindow(windowNo: 0, id: 1, sendBefore: deadline),
      journal: nil,
      recordCooling: { _ in })
  }
}
