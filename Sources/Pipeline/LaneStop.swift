import Base
import Campaign
import Providers
import Store
import Transport

/// Why a lane sends nothing more in this run.
struct LaneStop: Error, Sendable, Equatable {
  enum Kind: Sendable {
    case breaker
    case provider
    case credential
    case unreachable
    /// It goes on by itself at a later run: a long wait, or somebody who was asked for authorization and is away.
    case later
    /// Paused or stopped by a command.
    case operatorAsked
    /// Nothing more is sent, ever; what the provider accepted is still settled.
    case cancelled
    /// The database or we ourselves failed: the run ends with the error.
    case failure
  }

  /// Characters of a provider's answer that are repeated to people.
  static let quotedLength = 300

  let kind: Kind
  /// What is wrong and what to do, one line without the lane's name and place, so that lanes which stop for the same
  /// cause are told of together.
  let cause: String
  /// `https://host[:port]`, where the cause alone doesn't say which server it is about.
  var place: String?

  /// What `salvo.lane.stop_reason` says.
  var reason: String { place.map { "\($0): \(cause)" } ?? cause }

  init(_ kind: Kind, _ cause: String, place: String? = nil) {
    self.kind = kind
    self.cause = cause
    self.place = place
  }

  /// No authorization can be had.
  init(noAccess error: any Error, of channel: Channel) {
    switch error {
    case let stop as LaneStop: self = stop
    case let error as ProviderError:
      // The lane's name is said by whoever tells of the stop.
      let words = Self.dropping(channel.owner + ": ", from: "\(error)")
      switch error.code {
      case .credential: self.init(.credential, words)
      case .temporary: self.init(.later, words + "; run the launch again")
      case .configuration, .content: self.init(.provider, words)
      }
    case let error as StoreError where error.code == .away: self.init(.later, "\(error); run the launch again")
    default: self.init(.provider, "no authorization could be made: \(error)")
    }
  }

  /// The peer's certificate is not trusted. `words` are libcurl's, behind the endpoint.
  init(untrusted words: String, by pool: PoolConfiguration) {
    let given = [pool.caFile, pool.extraCAFile].compactMap { $0 }
    self.init(
      .unreachable,
      Self.dropping(pool.endpoint + ": ", from: words)
        + "; nothing is sent to a server that isn't trusted: name the certificate of its authority by --ca-file"
        + " (SALVO_CA_FILE) or in the channel's ca_file"
        + (given.isEmpty ? "" : ", now \(given.joined(separator: " and "))"),
      place: pool.endpoint)
  }

  /// No connection could be made, for as long as it was worth trying.
  init(unreachable words: String, by pool: PoolConfiguration) {
    self.init(
      .unreachable,
      Self.dropping(pool.endpoint + ": ", from: words) + "; check the address"
        + (pool.proxy == nil ? "" : ", the channel's proxy") + " and that the network lets it through",
      place: pool.endpoint)
  }

  /// Our certificate was refused in the TLS handshake, so nothing was sent.
  init(refusedCertificate words: String, of channel: Channel, by pool: PoolConfiguration) {
    self.init(
      .credential,
      "the provider refuses the certificate of credential \(channel.credential):"
        + " \(Self.dropping(pool.endpoint + ": ", from: words)); is it expired, revoked or another environment's?")
  }

  /// Authorization made a moment ago was refused like the one before.
  init(refusedAgain verdict: MessageVerdict?, by adapter: any ProviderLane, of channel: Channel) {
    let words = verdict.flatMap { adapter.hint(onRefusalOfFreshAccess: $0) } ?? "check it and the channel's settings"
    self.init(
      .credential, "the provider refuses credential \(channel.credential), also after it was renewed; \(words)")
  }

  /// The lane may go on at a moment that is too far away to wait for.
  init(waitsUntil moment: EpochMilliseconds, because words: String) {
    self.init(.later, "\(words) until \(moment.localText); run the launch again then")
  }

  /// The provider refuses whatever the lane sends.
  init(refusal verdict: MessageVerdict, isCredential: Bool, of channel: Channel) {
    let status = verdict.httpStatus.map { "HTTP \($0)" }
    let words = (verdict.detail ?? verdict.providerCode ?? verdict.reason).map { String($0.prefix(Self.quotedLength)) }
    let answer = [status, words].compactMap { $0 }.joined(separator: " ")
    self.init(
      isCredential ? .credential : .provider,
      isCredential
        ? "the provider refuses credential \(channel.credential): \(answer); check it and the channel's settings"
        : "the provider refuses this channel: \(answer); check its settings")
  }

  /// Whether somebody must mend something before the lane goes on.
  var isForPeople: Bool {
    switch kind {
    case .breaker, .provider, .credential, .unreachable: true
    case .later, .operatorAsked, .cancelled, .failure: false
    }
  }

  private static func dropping(_ prefix: String, from text: String) -> String {
    text.hasPrefix(prefix) ? String(text.dropFirst(prefix.count)) : text
  }
}

extension Channel {
  /// How messages for people name it.
  var owner: String { "channel \(id) (\(name))" }
}
