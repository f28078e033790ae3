import Base
import Campaign
import Providers
import Rendering
import Report
import Store
import Transport

extension Preflight {
  /// Whose messages are looked at.
  public struct Choice: Sendable {
    var profile: Int64?
    var subscription: Int64?
    var provider: String?

    public init(profile: Int64?, subscription: Int64?, provider: String?) {
      self.profile = profile
      self.subscription = subscription
      self.provider = provider
    }
  }

  /// Devices of one profile at a channel that are shown.
  private static let mostDevices = 20

  /// The requests for the devices of a profile, for one subscription, or for the first recipient of each lane.
  /// - Throws: `RunError` `.notFound` when the launch has no such recipient that would be sent to.
  public func preview(_ id: Int64, _ choice: Choice) async throws -> [RequestPreview] {
    // The notification centre's row says how the message reads, whatever the app's SDK.
    var options = try await launches.load(id).options
    options.writesInbox = true
    let launch = try await launches.load(id).startingNow.with(options)
    let pools = Pools()
    let preparer = LanePreparer(settings, pools: pools, paces: Paces(rates, log: log))
    try preparer.checkTrust()
    var previews: [RequestPreview] = []
    do {
      for channel in try await launches.channels(of: id)
      where choice.provider == nil || choice.provider == channel.provider {
        let lane: PreparedLane
        do { lane = try preparer.prepare(launch, channel) } catch let error as RunError {
          previews.append(RequestPreview(channel, nil, refusal: error.description))
          continue
        }
        previews += try await preview(lane, choice)
      }
    } catch {
      await pools.close()
      throw error
    }
    await pools.close()
    guard !previews.isEmpty else {
      throw RunError(.notFound, "launch \(id) has no such recipient that would be sent to")
    }
    return previews
  }

  private func preview(_ lane: PreparedLane, _ choice: Choice) async throws -> [RequestPreview] {
    let (launch, channel) = (lane.launch.id, lane.channel.id)
    let isNamed = choice.profile != nil || choice.subscription != nil
    let keys: [RecipientKey]
    if let targets = lane.targets {
      keys = isNamed ? targets.keys.filter { $0.subscriptionID == choice.subscription } : Array(targets.keys.prefix(1))
    } else {
      keys = try await audience.active(
        launch: launch, channel: channel, profile: choice.profile, subscription: choice.subscription,
        limit: isNamed ? Self.mostDevices : 1)
    }
    guard !keys.isEmpty else { return [] }
    let read = try await audience.page(launch: launch, channel: channel, of: keys, columns: lane.renderer.columns)
    let page = lane.targets?.addressing(read) ?? read
    return try page.rows.indices.map { try preview(lane, page, row: $0) }
  }

  private func preview(_ lane: PreparedLane, _ page: RecipientPage, row: Int) throws -> RequestPreview {
    var preview = RequestPreview(lane.channel, page.rows[row].key)
    let rendering = SliceRendering([row], of: page, firstRow: 0, by: lane)
    let batch = lane.adapter.requests(
      for: rendering.slice, input: rendering.input, headers: HeaderSet(try headers(of: lane)), requestKey: 0)
    let refusal =
      rendering.refusals.first
      ?? batch.tooLarge.first.map { rendering.refusal(of: $0, limit: lane.adapter.limits.payload) }
    if let refusal {
      preview.refusal = [refusal.reason, refusal.detail].compactMap { $0 }.joined(separator: ": ")
      return preview
    }
    guard let request = batch.page.requests.first, let message = rendering.slice.messages.first else { return preview }
    func text(_ range: ByteRange) -> String { String(decoding: batch.page.bytes[range.range], as: UTF8.self) }
    let token =
      lane.targets == nil
      ? String(decoding: rendering.input.tokens[rendering.input.messages[message.input].token.range], as: UTF8.self)
      : nil
    preview.line = "POST " + lane.pool.configuration.endpoint + RequestPreview.masked(text(request.path), token)
    preview.headers =
      batch.page.headers.lines.map(RequestPreview.masked(header:))
      + text(request.headers).split(separator: "\0").map(String.init)
    preview.bytes = request.body.count
    preview.body = RequestPreview.masked(try JSONScanner.parse(Array(batch.page.bytes[request.body.range])), token)
    preview.screen = screen(lane, message.inbox.map { Array(rendering.slice.bytes[$0.range]) })
    return preview
  }

  /// Authorization as far as it can be made here: nobody is asked for it.
  private func headers(of lane: PreparedLane) throws -> [String] {
    switch try lane.adapter.access.begin(now: .now) {
    case .ready(let access): lane.adapter.headerLines(access)
    case .exchange:
      lane.adapter.headerLines(Access(authorization: "Bearer secret", renewAt: .now, validUntil: .now))
    }
  }

  private func screen(_ lane: PreparedLane, _ inbox: [UInt8]?) -> LockScreen? {
    guard !lane.launch.content.silent, let inbox, let row = try? JSONScanner.parse(inbox).object else { return nil }
    let buttons = row["buttons"]?.array?.compactMap { $0.object?["label"]?.string } ?? []
    return LockScreen(
      app: lane.channel.name, title: row["title"]?.string, body: row["body"]?.string, buttons: buttons,
      isApple: lane.channel.provider.hasPrefix("ios-"))
  }
}
