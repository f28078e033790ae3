internal import Base
internal import Campaign
internal import Rendering
internal import Transport

/// Requests to `POST /v1/projects/{project}/messages:send`. The rendered payload is the whole body.
struct RuStoreLane: ProviderLane {
  let pool: PoolConfiguration
  let access: any AccessSource
  let messagesPerRequest = 1
  /// 4,096 bytes of the final body; RuStore publishes no number, its clients use this one.
  let limits = PayloadLimits(payload: 4096)
  private let path: [UInt8]
  private let classifier: RuStoreClassifier

  /// - Throws: `ProviderError` when no project is named, or its name can't stand in a path.
  init(channel: Channel, access: StaticToken) throws(ProviderError) {
    guard let project = channel.settings.projectID, WireText.isPathSegment(project) else {
      throw ProviderError(.configuration, "\(channel.label): the settings need project_id, RuStore's id of the project")
    }
    pool = PoolConfiguration(channel, host: "vkpns.rustore.ru", connections: 2, streams: 50)
    self.access = access
    path = Array("/v1/projects/\(project)/messages:send".utf8)
    classifier = RuStoreClassifier(retry5xxAfter: channel.settings.retry5xxAfterSeconds ?? 5)
  }

  func headerLines(_ access: Access) -> [String] {
    access.headerLines + ["content-type: application/json"]
  }

  func appendToken(_ token: ArraySlice<UInt8>, to out: inout [UInt8]) -> Bool {
    TokenShape.appendOpaque(token, to: &out)
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
    case .answered(let answer):
      let message = batch.slice.messages[span.messages.lowerBound]
      let token = batch.input.tokens[batch.input.messages[message.input].token.range]
      return [classifier.verdict(of: answer, token: token, now: now)]
    case .notSent(let cause): return [MessageVerdict(notSent: cause)]
    case .unknown(let how): return [MessageVerdict(noAnswer: how)]
    }
  }
}
