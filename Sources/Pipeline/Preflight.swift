public import Base
import Campaign
import Providers
import Rendering
public import Store
import Transport

/// Goes through a launch as its run would, up to the network and no further, and writes nothing to the database.
public struct Preflight: Sendable {
  let launches: LaunchStore
  let audience: AudienceReader
  let rates: RateStore
  let settings: LaunchRun.Settings
  let log: Log

  public init(
    launches: LaunchStore, audience: AudienceReader, rates: RateStore, settings: LaunchRun.Settings, log: Log
  ) {
    self.launches = launches
    self.audience = audience
    self.rates = rates
    self.settings = settings
    self.log = log
  }

  /// Renders every recipient, or `sample` of each lane taken from places all over it.
  /// - Parameter isOnline: asks for authorization, and Firebase to validate a message; nothing is delivered.
  /// - Throws: `StoreError` and `RunError` when there is nothing to look at: no launch, content that can't be read, a
  ///   trust file that isn't one.
  public func check(_ id: Int64, sample: Int?, isOnline: Bool) async throws -> PreflightReport {
    let launch = try await launches.load(id).startingNow
    var report = PreflightReport(launch: launch)
    do { try await audience.verifyPlan(of: id) } catch let error as StoreError where error.code != .away {
      report.refusals.append(error.description)
    }
    if let end = launch.notAfter, end <= .now {
      report.refusals.append("not_after is past: every message would expire")
    }
    let pools = Pools()
    let preparer = LanePreparer(settings, pools: pools, paces: Paces(rates, log: log))
    try preparer.checkTrust()
    let channels = try await launches.channels(of: id)
    for target in Set(launch.options.targets.map(\.channelID)).subtracting(channels.map(\.id)).sorted() {
      report.refusals.append("options.targets: channel \(target) is none of the launch's account")
    }
    do {
      for channel in channels {
        report.lanes.append(
          try await check(launch, channel, among: channels.map(\.id), preparer, sample: sample, isOnline: isOnline))
      }
    } catch {
      await pools.close()
      throw error
    }
    await pools.close()
    return report
  }

  private func check(
    _ launch: Launch, _ channel: Channel, among channels: [Int64], _ preparer: LanePreparer, sample: Int?,
    isOnline: Bool
  ) async throws -> LaneCheck {
    var check = LaneCheck(channel)
    let lane: PreparedLane
    var strict: PreparedLane?
    do {
      lane = try preparer.prepare(launch, channel)
      if launch.options.missing == .blank { strict = try preparer.prepare(launch.rejectingMissing, channel) }
    } catch let error as RunError {
      check.refusals.append(error)
      check.recipients = try await audience.extent(launch: launch.id, channel: channel.id).count
      return check
    }
    let examination = LaneExamination(lane: lane, strict: strict, audience: audience, channels: channels)
    (check.recipients, check.tally) = try await examination.run(sample: sample)
    check.limit = lane.adapter.limits.payload
    check.seconds = lane.seconds(for: check.expected)
    if isOnline { await tryOnline(lane, &check) }
    return check
  }

  // MARK: Online

  private func tryOnline(_ lane: PreparedLane, _ check: inout LaneCheck) async {
    do {
      let headers = try await lane.access.current()
      check.online.append("authorization can be had")
      guard lane.channel.provider.hasSuffix("-firebase"), let key = check.tally.sizes.largest?.key else { return }
      try await validate(key, lane, headers, &check)
    } catch {
      let stop = LaneStop(noAccess: error, of: lane.channel)
      check.refusals.append(RunError(stop.kind == .credential ? .credential : .laneStopped, stop.reason))
    }
  }

  /// Firebase looks at the largest message and delivers nothing.
  private func validate(
    _ key: RecipientKey, _ lane: PreparedLane, _ headers: HeaderSet, _ check: inout LaneCheck
  ) async throws {
    let read = try await audience.page(
      launch: lane.launch.id, channel: lane.channel.id, of: [key], columns: lane.renderer.columns)
    let rendering = SliceRendering([0], of: lane.targets?.addressing(read) ?? read, firstRow: 0, by: lane)
    let batch = lane.adapter.requests(for: rendering.slice, input: rendering.input, headers: headers, requestKey: 0)
    guard let request = batch.page.requests.first, let span = batch.spans.first else { return }
    var bytes = Array(batch.page.bytes[request.path.range])
    let path = ByteRange(lower: 0, upper: bytes.count)
    bytes += "{\"validate_only\":true,".utf8 + batch.page.bytes[request.body.range].dropFirst()
    let body = ByteRange(lower: path.count, upper: bytes.count)
    let page = RequestPage(
      bytes: bytes, requests: [Request(path: path, headers: ByteRange(lower: 0, upper: 0), body: body)],
      headers: headers)
    let results = await lane.pool.send(
      page, sendBefore: BootInstant.now.advanced(seconds: lane.pool.configuration.timeout), unless: StopFlag())
    guard let exchange = results.first?.exchange,
      let verdict = lane.adapter.verdicts(for: exchange, of: span, in: batch, now: .now).first
    else { return }
    let words = verdict.words
    switch verdict.verdict {
    case .sent: check.online.append("Firebase takes the message (validate_only)")
    case .retire: check.warnings.append("Firebase calls the token of \(key.words) dead: \(words)")
    case .retry, .unknown, .accepted: check.warnings.append("Firebase gave no verdict: \(words)")
    case .reject, .stop, .refreshAccess:
      check.refusals.append(RunError(.content, "Firebase refuses the message: \(words)"))
    }
  }
}

extension MessageVerdict {
  /// What the provider said, one line.
  var words: String {
    let parts = [
      httpStatus.map { "HTTP \($0)" }, providerCode ?? reason, detail.map { String($0.prefix(LaneStop.quotedLength)) },
    ]
    return parts.compactMap { $0 }.joined(separator: " ")
  }
}

extension RecipientKey {
  /// For people: whose it is, never by the token.
  var words: String { "subscription \(subscriptionID) of profile \(profileID)" }
}

extension Launch {
  /// As if a missing value ended its message.
  fileprivate var rejectingMissing: Launch {
    var options = options
    options.missing = .reject
    return with(options)
  }

  /// The launch under other options.
  func with(_ options: LaunchOptions) -> Launch {
    Launch(
      id: id, account: account, campaignID: campaignID, campaignName: campaignName, state: state, content: content,
      options: options, notBefore: notBefore, notAfter: notAfter, startedAt: startedAt)
  }
}
