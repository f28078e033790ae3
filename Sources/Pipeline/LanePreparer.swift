import Base
import Campaign
import Providers
import Rendering
import Signing
import Store
import Transport

/// Makes lanes ready to send, and finds what is wrong before anything is planned or sent: provider, profile, settings,
/// template, credential, trust.
struct LanePreparer: Sendable {
  let credentials: CredentialStore
  /// `--ca-file`: added to every channel's trust.
  let extraCAFile: String?
  let pools: Pools
  /// Where processes share what authorises their requests.
  let tokens: TokenStore?
  let paces: Paces
  let metrics: Metrics
  /// The process's: up once it was asked to stop.
  let stop: StopFlag

  /// For those who look and try rather than run: authorization is shared with nobody, and nobody counts.
  init(_ settings: LaunchRun.Settings, pools: Pools, paces: Paces) {
    self.init(
      credentials: CredentialStore(folder: settings.credentialsFolder), extraCAFile: settings.extraCAFile, pools: pools,
      tokens: nil, paces: paces, metrics: Metrics(), stop: StopFlag())
  }

  init(
    credentials: CredentialStore, extraCAFile: String?, pools: Pools, tokens: TokenStore?, paces: Paces,
    metrics: Metrics, stop: StopFlag
  ) {
    self.credentials = credentials
    self.extraCAFile = extraCAFile
    self.pools = pools
    self.tokens = tokens
    self.paces = paces
    self.metrics = metrics
    self.stop = stop
  }

  func prepare(_ launch: Launch, _ channel: Channel) throws -> PreparedLane {
    let owner = channel.owner
    guard let provider = Registry.provider(named: channel.provider) else {
      throw RunError(.configuration, "\(owner): there is no provider \"\(channel.provider)\"")
    }
    guard provider.profiles.contains(channel.profile) else {
      let known = provider.profiles.map(\.rawValue).joined(separator: ", ")
      throw RunError(
        .configuration,
        "\(owner): \(channel.provider) has no payload profile \(channel.profile.rawValue); it has \(known)")
    }
    do {
      if let file = channel.settings.caFile { try Self.checkCertificates(file, named: "\(owner): ca_file") }
      let secret = CredentialText.tidy(try credentials.load(channel.credential, of: owner))
      let links = try hubLinks(launch, channel, owner)
      let compose: @Sendable (Launch) throws -> (any ProviderLane, PageRenderer) = { launch in
        let launch = launch.prepared(for: provider.platform)
        let renderer = try PageRenderer(
          shapes: try launch.editions.map { try provider.shape(of: channel, launch: $0) },
          inbox: launch.options.writesInbox ? launch.editions.map(Inbox.shape(of:)) : [], launch: launch,
          channel: channel, platform: provider.platform, providerTitle: provider.title, links: links, group: 1)
        return (try provider.lane(of: channel, launch: launch, credential: secret), renderer)
      }
      let (adapter, renderer) = try compose(launch)
      var configuration = adapter.pool
      configuration.name = channel.name
      configuration.extraCAFile = extraCAFile
      let name = CredentialFingerprint.make(channel, secret: secret)
      let pool = try pools.pool(configuration, credential: secret)
      let metrics = LaneMetrics(metrics, launch: launch.id, channel: channel)
      return PreparedLane(
        launch: launch.prepared(for: provider.platform), channel: channel, adapter: adapter, renderer: renderer,
        pool: pool,
        access: AccessKeeper(
          source: adapter.access, lines: { adapter.headerLines($0) },
          exchange: exchanger(configuration, owner: owner),
          shared: tokens.map { SharedAccess($0, name: name) }, stop: stop,
          onRenewal: { metrics.renewedAccess($0) }),
        pace: LanePace(
          credential: paces.pace(of: channel, rules: adapter.pace, name: name), launch: paces.pace(of: launch),
          day: paces.day(of: channel, rules: adapter.pace, name: name), unit: adapter.pace.unit),
        sizing: WindowSizing(
          inFlight: configuration.connections * configuration.streams,
          messagesPerRequest: adapter.messagesPerRequest, isShared: renderer.isShared,
          settlesLater: adapter.settlesLater,
          rate: [channel.settings.rate, launch.options.rate].compactMap { $0 }.min()), metrics: metrics,
        compose: compose)
    } catch let error as ProviderError {
      throw RunError(error.code == .content ? .content : .configuration, Self.named(owner, error))
    } catch let error as TemplateError {
      throw RunError(.content, Self.named(owner, error))
    } catch let error as TransportError {
      throw RunError(.configuration, Self.named(owner, error))
    }
  }

  /// What is wrong with `--ca-file` concerns all channels.
  /// - Throws: `RunError` (`.configuration`) naming the file that is missing or holds no certificate.
  func checkTrust() throws(RunError) {
    if let extraCAFile { try Self.checkCertificates(extraCAFile, named: "--ca-file (SALVO_CA_FILE)") }
  }

  /// libcurl reads the file with the first connection, when everything is planned already.
  private static func checkCertificates(_ file: String, named name: String) throws(RunError) {
    do {
      try CertificateFile.check(pem: try FileReader.read(file, limit: 4 << 20))
    } catch let error as SigningError {
      throw RunError(.configuration, "\(name): \(file): \(error)")
    } catch {
      throw RunError(.configuration, "\(name): \(error)")
    }
  }

  /// The error's words with the channel in front, once.
  private static func named(_ owner: String, _ error: some CustomStringConvertible) -> String {
    error.description.hasPrefix(owner) ? error.description : "\(owner): \(error)"
  }

  private func hubLinks(_ launch: Launch, _ channel: Channel, _ owner: String) throws -> HubLinks? {
    let settings = launch.account.settings
    guard let url = channel.settings.hubURL ?? settings.hubURL else { return nil }
    guard !settings.linkKeys.isEmpty else {
      throw RunError(
        .configuration, "account \(launch.account.id): hub_url is set, but link_keys names no key to encrypt links with"
      )
    }
    return try Self.hubLinks(
      url,
      try settings.linkKeys.map { reference in
        do {
          return try LinkKey(text: try credentials.load(reference, of: "account \(launch.account.id)"))
        } catch let error as SigningError {
          throw RunError(.configuration, "account \(launch.account.id): link key \(reference): \(error)")
        }
      })
  }

  private static func hubLinks(_ url: String, _ keys: [LinkKey]) throws(RunError) -> HubLinks {
    do {
      return try HubLinks(hubURL: url, keys: keys)
    } catch {
      throw RunError(.configuration, "\(error)")
    }
  }

  /// Sends credential exchanges over a connection of their own, with the channel's trust and proxy.
  private func exchanger(
    _ like: PoolConfiguration, owner: String
  ) -> @Sendable (AccessExchange) async throws -> Answer {
    { [pools, stop] exchange in
      var configuration = PoolConfiguration(
        name: like.name + " access", endpoint: exchange.endpoint, connections: 1, streams: 1)
      configuration.version = .http1
      configuration.caFile = like.caFile
      configuration.extraCAFile = like.extraCAFile
      configuration.proxy = like.proxy
      configuration.timeout = like.timeout
      let pool = try pools.pool(configuration, credential: [])
      var bytes = Array(exchange.path.utf8)
      let pathEnd = bytes.count
      bytes.append(contentsOf: exchange.form)
      let request = Request(
        path: ByteRange(lower: 0, upper: pathEnd), headers: ByteRange(lower: 0, upper: 0),
        body: ByteRange(lower: pathEnd, upper: bytes.count))
      let page = RequestPage(
        bytes: bytes, requests: [request],
        headers: HeaderSet(["content-type: application/x-www-form-urlencoded"]))
      let results = await pool.send(
        page, sendBefore: BootInstant.now.advanced(seconds: like.timeout), unless: stop)
      switch results.first?.exchange {
      case .answered(let answer): return answer
      case .notSent(.untrusted(let words)): throw LaneStop(untrusted: words, by: configuration)
      case .notSent(.unreachable(let words)): throw LaneStop(unreachable: words, by: configuration)
      case .notSent(.refused(let words)), .unknown(let words):
        throw ProviderError(.temporary, "\(owner): no authorization was given: \(words)")
      default: throw ProviderError(.temporary, "\(owner): \(exchange.endpoint) was not asked for authorization")
      }
    }
  }
}
