internal import Base
internal import Campaign
internal import Rendering
internal import Transport

/// Requests to `POST /v1/projects/{project}/messages:send`. The rendered payload is the whole body.
struct FCMLane: ProviderLane {
  let pool: PoolConfiguration
  let access: any AccessSource
  /// Google asks senders to rise to their full rate over a minute; a project's quota is 600,000 messages a minute.
  var pace: PaceRules { PaceRules(ramp: 60, rampTarget: 10_000) }
  let messagesPerRequest = 1
  /// 4,096 bytes of the final body, the rule of every provider here; 2,048 for a message to a topic or a condition. FCM's documentation counts keys and values of
  /// the payload alone, so the last few hundred bytes before the limit are a margin.
  let limits: PayloadLimits
  /// Google ends a connection that has more open, whatever the settings say.
  static let mostStreams = 100
  private let path: [UInt8]
  private let isForTopics: Bool
  private let classifier: FCMClassifier

  /// - Throws: `ProviderError` when no project is named, or its name can't stand in a path.
  init(channel: Channel, launch: Launch, account: FCMCredential) throws(ProviderError) {
    guard let project = channel.settings.projectID ?? account.projectID else {
      throw ProviderError(
        .configuration, "\(channel.label): neither the settings nor the credential name a project_id")
    }
    guard WireText.isPathSegment(project) else {
      throw ProviderError(.configuration, "\(channel.label): project_id may hold letters, digits, '.', ':' and '-'")
    }
    isForTopics = TopicTargets(of: launch, at: channel) != nil
    guard !isForTopics || [.fcm, .custom].contains(channel.profile) else {
      throw ProviderError(
        .content,
        "\(channel.label): options.targets need a channel with the payload profile fcm, not \(channel.profile.rawValue)"
      )
    }
    limits = PayloadLimits(payload: isForTopics ? 2048 : 4096)
    var pool = PoolConfiguration(channel, host: "fcm.googleapis.com", connections: 4, streams: Self.mostStreams)
    pool.streams = min(pool.streams, Self.mostStreams)
    self.pool = pool
    access = account
    path = Array("/v1/projects/\(project)/messages:send".utf8)
    classifier = FCMClassifier(
      on5xx: launch.options.fcm5xx, retry5xxAfter: channel.settings.retry5xxAfterSeconds ?? 10)
  }

  func headerLines(_ access: Access) -> [String] {
    access.headerLines + ["content-type: application/json"]
  }

  /// A topic's name and a condition were checked with the options.
  func appendToken(_ token: ArraySlice<UInt8>, to out: inout [UInt8]) -> Bool {
    if isForTopics {
      out.append(contentsOf: token)
      return true
    }
    return TokenShape.appendOpaque(token, to: &out)
  }

  func requests(
    for slice: RenderedSlice, input: RenderInput, headers: HeaderSet, requestKey: Int64
  ) -> RequestBatch {
    .wholeBodies(of: slice, input: input, path: path, limit: limits.payload, headers: headers)
  }

  func verdicts(
    for exchange: Exchange, of span: RequestSpan, in batch: RequestBatch, now: EpochMilliseconds
  ) -> [MessageVerdict] {
    switch exchange {
    case .answered(let answer): [classifier.verdict(of: answer, now: now)]
    case .notSent(let cause): [MessageVerdict(notSent: cause)]
    case .unknown(let how): [MessageVerdict(noAnswer: how)]
    }
  }
}
