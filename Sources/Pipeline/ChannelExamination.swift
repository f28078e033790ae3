public import Base
public import Campaign
import Providers
public import Store
import Transport

/// Prepares channels as a run would, credentials read and templates compiled, and looks whether their servers are
/// there. Nothing is sent and nobody is asked for authorization.
public struct ChannelExamination: Sendable {
  /// A server that channels of one trust and proxy connect to.
  public struct Endpoint: Sendable {
    /// `https://host[:port]`
    public let address: String
    /// Names of the channels that use it.
    public let channels: [String]
    /// Seconds that connecting took, TLS included.
    public let seconds: Double?
    /// Why it can't be used and what to do; nil when it can.
    public let problem: String?
  }

  /// What was found out about the channels.
  public struct Findings: Sendable {
    /// Names of the channels that are ready.
    public var ready: [String] = []
    /// What is wrong with others, one line each.
    public var problems: [RunError] = []
    /// By address.
    public var endpoints: [Endpoint] = []
    /// Connections that all of them may open.
    public var connections = 0
  }

  private let settings: LaunchRun.Settings
  private let rates: RateStore
  private let log: Log

  public init(settings: LaunchRun.Settings, rates: RateStore, log: Log) {
    self.settings = settings
    self.rates = rates
    self.log = log
  }

  /// What is wrong with `--ca-file` concerns all channels.
  /// - Throws: `RunError` (`.configuration`).
  public func checkTrust() throws {
    try preparer(Pools()).checkTrust()
  }

  /// Prepares them one after the other and tries their servers side by side.
  public func examine(_ channels: [(Channel, Account)]) async -> Findings {
    let pools = Pools()
    let preparer = preparer(pools)
    var findings = Findings()
    var servers: [PoolConfiguration: [String]] = [:]
    for (channel, account) in channels {
      do {
        let lane = try preparer.prepare(Self.launch(of: account), channel)
        findings.ready.append(channel.name)
        findings.connections += lane.pool.configuration.connections
        servers[Self.server(lane.pool.configuration.endpoint, lane.pool.configuration), default: []].append(
          channel.name)
        if case .exchange(let exchange) = try lane.adapter.access.begin(now: .now) {
          servers[Self.server(exchange.endpoint, lane.pool.configuration), default: []].append(channel.name)
        }
      } catch let error as RunError {
        findings.problems.append(error)
      } catch {
        findings.problems.append(RunError(.configuration, "\(error)"))
      }
    }
    await pools.close()
    findings.endpoints = await Self.reach(servers)
    return findings
  }

  private func preparer(_ pools: Pools) -> LanePreparer {
    LanePreparer(settings, pools: pools, paces: Paces(rates, log: log))
  }

  /// What makes a difference to connecting: address, trust, proxy, certificate.
  private static func server(_ address: String, _ like: PoolConfiguration) -> PoolConfiguration {
    var server = PoolConfiguration(name: "", endpoint: address, connections: 1, streams: 1)
    server.version = like.version
    server.caFile = like.caFile
    server.extraCAFile = like.extraCAFile
    server.proxy = like.proxy
    server.clientCertificate = like.clientCertificate
    return server
  }

  /// All at once: the slowest takes ten seconds.
  private static func reach(_ servers: [PoolConfiguration: [String]]) async -> [Endpoint] {
    await withTaskGroup(of: Endpoint.self) { group in
      for (server, channels) in servers {
        group.addTask {
          var (seconds, stop): (Double?, LaneStop?) = (nil, nil)
          switch await Handshake.attempt(server) {
          case .reached(let taken): seconds = taken
          case .untrusted(let words): stop = LaneStop(untrusted: words, by: server)
          case .unreachable(let words): stop = LaneStop(unreachable: words, by: server)
          case .impossible(let words): stop = LaneStop(.provider, words)
          }
          return Endpoint(address: server.endpoint, channels: channels.sorted(), seconds: seconds, problem: stop?.cause)
        }
      }
      var endpoints: [Endpoint] = []
      for await endpoint in group { endpoints.append(endpoint) }
      return endpoints.sorted { ($0.address, $0.channels.first ?? "") < ($1.address, $1.channels.first ?? "") }
    }
  }

  /// A launch of nothing in particular: channels are prepared for one.
  private static func launch(of account: Account) -> Launch {
    var content = Content()
    content.title = "Examination"
    return Launch(
      id: 1, account: account, campaignID: 1, campaignName: "", state: .running, content: content,
      options: LaunchOptions(), notBefore: nil, notAfter: nil, startedAt: .now)
  }
}
