import Campaign

/// Keeps a wrong credential from wiping a token base.
///
/// Retirements are held until `sample` verdicts are in or nothing is being sent any more. A lane stops when at least
/// `minimum` tokens and more than `share` of them are dead, first over the sample, then over the last 1,000; and when
/// 20 payload rejects in a row are equal while nothing was ever sent. A small lane that is all dead retires nobody.
struct Breaker: Sendable {
  static let span = 1000
  static let equalRejects = 20

  /// What becomes of held retirements.
  enum Decision: Equatable, Sendable {
    case retire
    /// The wave is suspect: the messages end as rejected, and the tokens stay.
    case spare
  }

  private let settings: BreakerSettings
  private(set) var verdicts: Int64
  private(set) var dead: Int64
  private(set) var tripped: String?

  private var sent = 0
  private var windowsSending = 0
  private var lastReject: String?
  private var rejectsInARow = 0
  // The last `span` verdicts: true = dead. A ring, so that a step costs the same at any size.
  private var ring: [Bool] = []
  private var ringAt = 0
  private var ringDead = 0

  /// - Parameters:
  ///   - verdicts: as persisted by all runners of the lane so far.
  ///   - dead: those of them that called a token dead.
  init(settings: BreakerSettings, verdicts: Int64 = 0, dead: Int64 = 0) {
    self.settings = settings
    self.verdicts = verdicts
    self.dead = dead
  }

  mutating func windowOpened() { windowsSending += 1 }

  /// All answers of a window are in. When nothing of the lane is being sent any more, a sample smaller than `sample` is
  /// all there will be.
  mutating func windowSent() {
    windowsSending -= 1
    if windowsSending == 0, verdicts < Int64(settings.sample) { trip(dead: dead, of: verdicts) }
  }

  mutating func sentArrived() {
    sent += 1
    rejectsInARow = 0
    count(dead: false)
  }

  mutating func deadArrived() { count(dead: true) }

  /// The payload was refused with these words of the provider.
  mutating func rejectArrived(code: String) {
    rejectsInARow = code == lastReject ? rejectsInARow + 1 : 1
    lastReject = code
    count(dead: false)
    if sent == 0, rejectsInARow >= Self.equalRejects, tripped == nil {
      tripped =
        "\(Self.equalRejects) messages in a row were refused with the same answer (\(code)) and none was taken:"
        + " the content or the channel's template does not fit this provider"
    }
  }

  /// Nil while retirements must still be held.
  var decision: Decision? {
    if tripped != nil { return .spare }
    if verdicts >= Int64(settings.sample) { return .retire }
    guard windowsSending == 0 else { return nil }
    return dead == verdicts ? .spare : .retire
  }

  private mutating func count(dead isDead: Bool) {
    verdicts += 1
    if isDead { dead += 1 }
    if ring.count < Self.span {
      ring.append(isDead)
    } else {
      if ring[ringAt] { ringDead -= 1 }
      ring[ringAt] = isDead
      ringAt = (ringAt + 1) % Self.span
    }
    if isDead { ringDead += 1 }
    judge()
  }

  /// At least `minimum` dead and more than `share` of them, over the sample or, past it, over the last 1,000.
  private mutating func judge() {
    guard tripped == nil else { return }
    guard verdicts >= Int64(settings.sample) else { return }
    if verdicts > Int64(Self.span), ring.count == Self.span {
      trip(dead: Int64(ringDead), of: Int64(Self.span))
    } else {
      trip(dead: dead, of: verdicts)
    }
  }

  private mutating func trip(dead: Int64, of total: Int64) {
    guard tripped == nil, dead >= Int64(settings.minimum), Double(dead) > settings.share * Double(total) else { return }
    tripped =
      "\(dead) of \(total) tokens were called dead; such a wave usually means the wrong environment (sandbox tokens at"
      + " production), project, bundle or key, so none of them is retired"
  }
}
