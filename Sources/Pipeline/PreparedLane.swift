import Base
import Campaign
import Providers
import Rendering
import Transport

/// Everything one lane needs to send: the channel, its compiled payload, its pool and its authorization.
struct PreparedLane: Sendable {
  let launch: Launch
  let channel: Channel
  let adapter: any ProviderLane
  let renderer: PageRenderer
  let pool: Pool
  let access: AccessKeeper
  let pace: LanePace
  let sizing: WindowSizing
  let metrics: LaneMetrics
  /// Makes requests and payloads of a launch for this channel.
  let compose: @Sendable (Launch) throws -> (any ProviderLane, PageRenderer)

  /// Whom its messages name instead of devices; nil when they go to these.
  var targets: TopicTargets? { TopicTargets(of: launch, at: channel) }

  /// The lane for recipients to whom the launch is due later than at its start: what expires does so later.
  func living(from due: EpochMilliseconds) throws -> PreparedLane {
    let launch = launch.living(from: due)
    let (adapter, renderer) = try compose(launch)
    return PreparedLane(
      launch: launch, channel: channel, adapter: adapter, renderer: renderer, pool: pool, access: access, pace: pace,
      sizing: sizing, metrics: metrics, compose: compose)
  }

  /// A message's id from its key alone, the same on every attempt and every runner.
  func uid(of key: RecipientKey) -> String { renderer.uid(of: key) }

  /// What the results call a recipient's variant.
  func variant(of key: RecipientKey) -> String? { renderer.variant(of: key.profileID) }

  /// The rules of one attempt.
  func policy(attempt: Int) -> RetryPolicy { RetryPolicy(launch: launch, channel: channel, attempt: attempt) }
}

/// How a lane is cut.
struct WindowSizing: Sendable, Equatable {
  /// Chunks leased at once, one open window in each.
  static let depth = 3

  /// Messages whose intent is written before any is sent.
  let window: Int
  /// Messages rendered and handed over together.
  let slice: Int

  /// - Parameters:
  ///   - inFlight: connections × streams.
  ///   - messagesPerRequest: 1, or how many one request takes.
  ///   - isShared: one payload for all, so arrays fill.
  ///   - settlesLater: one window is one request.
  ///   - rate: messages a second that are allowed; a window must be sent well within its lease.
  init(inFlight: Int, messagesPerRequest: Int, isShared: Bool, settlesLater: Bool, rate: Double? = nil) {
    if settlesLater {
      window = messagesPerRequest
      slice = messagesPerRequest
    } else if isShared && messagesPerRequest > 1 {
      window = 5_000
      // Whole requests, of a quarter of a second at most unless one alone is more.
      let requests = rate.map { Int(min($0, 100_000)) / 4 / messagesPerRequest } ?? .max
      slice = min(max(requests, 1), 5_000 / messagesPerRequest) * messagesPerRequest
    } else {
      let paced = rate.map { max(1, Int(min($0, 1_000))) } ?? 1_000
      window = min(max(2 * inFlight, 250), 1_000, paced * 10)
      slice = min(250, max(1, paced / 4))
    }
  }
}
