public import Base
import Campaign
import Providers
import Rendering
public import Store
import Transport

/// Sends a launch's message to chosen devices by the way that its run goes, beside its results: no delivery is written,
/// no token retired, and the launch stays as it is.
public struct TestSend: Sendable {
  /// Questions about an AppMetrica transfer, a second apart.
  private static let questions = 30

  private let launches: LaunchStore
  private let audience: AudienceReader
  private let tests: TestSendStore
  private let tokens: TokenStore
  private let rates: RateStore
  private let settings: LaunchRun.Settings
  private let log: Log

  public init(
    launches: LaunchStore, audience: AudienceReader, tests: TestSendStore, tokens: TokenStore, rates: RateStore,
    settings: LaunchRun.Settings, log: Log
  ) {
    self.launches = launches
    self.audience = audience
    self.tests = tests
    self.tokens = tokens
    self.rates = rates
    self.settings = settings
    self.log = log
  }

  /// Sends once to each device and writes down what became of it.
  /// - Throws: `StoreError`, `RunError` when a device isn't there or a channel can't be prepared: then nothing is sent.
  public func send(_ id: Int64, to devices: [TestDevice]) async throws -> TestSendReport {
    let launch = try await launches.load(id).asTest
    let found = try await tests.find(devices, launch: id)
    let (pools, paces) = (Pools(), Paces(rates, log: log))
    let preparer = LanePreparer(
      credentials: CredentialStore(folder: settings.credentialsFolder), extraCAFile: settings.extraCAFile, pools: pools,
      tokens: tokens, paces: paces, metrics: Metrics(), stop: StopFlag())
    let isOver = StopFlag()
    var report = TestSendReport()
    do {
      try preparer.checkTrust()
      let lanes = try found.map { (try preparer.prepare(launch, $0.channel), $0.keys) }
      async let sharing: Void = paces.run(until: isOver)
      do {
        for (lane, keys) in lanes {
          let results = try await send(lane, keys)
          try await tests.write(results.map(\.row), launch: id)
          report.results += results
        }
      } catch {
        isOver.set()
        await sharing
        throw error
      }
      isOver.set()
      await sharing
    } catch {
      await pools.close()
      throw error
    }
    await pools.close()
    return report
  }

  private func send(_ lane: PreparedLane, _ keys: [RecipientKey]) async throws -> [TestSendReport.Result] {
    let page = try await audience.page(
      launch: lane.launch.id, channel: lane.channel.id, of: keys, columns: lane.renderer.columns)
    let control = LaneControl(
      breaker: Breaker(settings: lane.channel.settings.breaker, verdicts: 0, dead: 0), processStop: StopFlag(),
      onStop: { _ in })
    let transfer = try await tests.nextTransfer()
    let sender = SliceSender(
      lane: lane, control: control, page: page, firstRow: 0, windowID: transfer,
      sendBefore: BootInstant.now.advanced(seconds: 2 * lane.pool.configuration.timeout), journal: nil)
    var results: [Int: TestSendReport.Result] = [:]
    var messages: [Int] = []
    for (index, row) in page.rows.enumerated() {
      if let reason = row.reasonToSkip(duplicates: [], older: []) {
        results[index] = result(lane, row.key, .skipped, reason: reason)
      } else {
        messages.append(index)
      }
    }
    do {
      var sent = try await sender.send(messages)
      if let headers = sent.headers, sent.events.contains(where: \.isRefusedAccess),
        try await lane.access.refused(headers) != nil
      {
        let again = sent.events.filter(\.isRefusedAccess).map(\.message)
        sent.events = sent.events.filter { !$0.isRefusedAccess } + (try await sender.send(again)).events
      }
      for event in sent.events { results[event.message] = result(lane, page.rows[event.message].key, event) }
    } catch let error where error is LaneStop || error is ProviderError {
      let stop = LaneStop(noAccess: error, of: lane.channel)
      for message in messages {
        var result = result(lane, page.rows[message].key, .deferred, reason: "access")
        result.detail = stop.reason
        result.code = stop.kind == .credential ? .credential : stop.kind == .later ? .again : .laneStopped
        results[message] = result
      }
    }
    if results.values.contains(where: \.isAwaited) { try await settle(&results, lane, transfer) }
    return results.sorted { $0.key < $1.key }.map(\.value)
  }

  /// AppMetrica says of the whole transfer what became of it.
  private func settle(
    _ results: inout [Int: TestSendReport.Result], _ lane: PreparedLane, _ transfer: Int64
  ) async throws {
    var status = TransferStatus.pending
    for _ in 0..<Self.questions where [.pending, .notFound].contains(status) {
      try await Task.sleep(nanoseconds: 1_000_000_000)
      guard let page = lane.adapter.statusRequest(requestKey: transfer, headers: try await lane.access.current())
      else { return }
      let sendBefore = BootInstant.now.advanced(seconds: lane.pool.configuration.timeout)
      guard
        try await lane.pace.take(.question, requests: 1, messages: 0, sendBefore: sendBefore, unless: StopFlag())
          == .now,
        let result = await lane.pool.send(page, sendBefore: sendBefore, unless: StopFlag()).first
      else { break }
      status = lane.adapter.transferStatus(from: result.exchange)
    }
    for (message, result) in results where result.isAwaited { results[message] = result.settled(as: status, transfer) }
  }

  private func result(
    _ lane: PreparedLane, _ key: RecipientKey, _ outcome: Outcome, reason: String?
  ) -> TestSendReport.Result {
    var row = TestSendRow(key: key, channelID: lane.channel.id, outcome: outcome)
    row.reason = reason
    return TestSendReport.Result(
      row: row, channel: lane.channel.name, provider: lane.channel.provider,
      code: [.rejected, .skipped].contains(outcome) ? .content : nil)
  }

  private func result(
    _ lane: PreparedLane, _ key: RecipientKey, _ event: SliceSender.Event
  ) -> TestSendReport.Result {
    var result: TestSendReport.Result
    switch event.kind {
    case .rejected(let reason, let detail):
      result = self.result(lane, key, .rejected, reason: reason)
      result.detail = detail
    case .verdict(let verdict, _):
      result = TestSendReport.Result(verdict, self.result(lane, key, .unknown, reason: verdict.reason))
    case .notSent(let reason, _):
      let verdict = MessageVerdict(notSent: reason)
      result = TestSendReport.Result(verdict, self.result(lane, key, .deferred, reason: verdict.reason))
    }
    result.row.uid = event.uid
    return result
  }
}

extension SliceSender.Event {
  /// Authorization was refused, and the message not sent.
  fileprivate var isRefusedAccess: Bool {
    if case .verdict(let verdict, _) = kind { verdict.verdict == .refreshAccess } else { false }
  }
}

extension Launch {
  /// To devices instead of topics; begun now, so that no id is one of the run's.
  fileprivate var asTest: Launch {
    var options = options
    options.targets = []
    return Launch(
      id: id, account: account, campaignID: campaignID, campaignName: campaignName, state: state, content: content,
      options: options, notBefore: notBefore, notAfter: notAfter, startedAt: .now)
  }
}
