public import Base
public import Campaign
public import Rendering
public import Transport

/// One way to reach devices: request bytes out, verdicts in. Pure: no socket, no clock of its own, no database.
public protocol Provider: Sendable {
  /// `android-firebase`.
  var name: String { get }
  /// `.Provider`: `Android Firebase`.
  var title: String { get }
  var platform: Platform { get }
  /// Profiles a channel of this provider may have.
  var profiles: [PayloadProfile] { get }
  /// Keys of `channel.settings` (as in JSON) that mean something here.
  var settingKeys: Set<String> { get }

  /// The built-in template of a profile and what is special about its places.
  func shape(of channel: Channel, launch: Launch) throws(ProviderError) -> PayloadShape

  /// Everything about one lane that doesn't change from message to message.
  /// - Parameter credential: the secret's bytes, BOM, quotes and line ends already tidied.
  /// - Throws: `ProviderError` naming the credential or the setting, never the secret.
  func lane(of channel: Channel, launch: Launch, credential: [UInt8]) throws(ProviderError) -> any ProviderLane
}

/// One channel's requests and answers within a launch.
public protocol ProviderLane: Sendable {
  /// Where to connect and how wide. The pool's `name`, `extraCAFile` are the caller's.
  var pool: PoolConfiguration { get }
  /// What authorises requests.
  var access: any AccessSource { get }
  /// Messages in one request at most: 1, 1,000 or 5,000.
  var messagesPerRequest: Int { get }
  /// Bytes of one request at most, and of one message's payload.
  var limits: PayloadLimits { get }
  /// How fast the provider wants to be asked.
  var pace: PaceRules { get }
  /// The provider settles later (AppMetrica): 2xx means accepted, `transferStatus` asks.
  var settlesLater: Bool { get }

  /// The header lines of every request made with `access`: authorization, content type and what else is the same for
  /// the whole lane. One `HeaderSet` is made of them, and a new one when the access changes.
  func headerLines(_ access: Access) -> [String]

  /// The token as the provider takes it, appended to `out`; false when its shape is wrong (C16). Trims white space
  /// around it, squeezes nothing inside.
  func appendToken(_ token: ArraySlice<UInt8>, to out: inout [UInt8]) -> Bool

  /// Requests for a rendered slice. Takes a prefix of the slice's messages when one request is full
  /// (`settlesLater`), otherwise all.
  /// - Parameter requestKey: the window's id, AppMetrica's `client_transfer_id`.
  func requests(for slice: RenderedSlice, input: RenderInput, headers: HeaderSet, requestKey: Int64) -> RequestBatch

  /// Bytes of one message's payload as `limits.payload` counts them.
  /// - Parameters:
  ///   - message: index into the slice's messages.
  ///   - request: index of the batch's request that carries it.
  func payloadSize(of message: Int, in batch: RequestBatch, request: Int) -> Int

  /// What one exchange means for the messages of its request, in their order.
  /// - Parameter now: when the answer came; a `retry-after` that names a date is counted from it.
  func verdicts(
    for exchange: Exchange, of span: RequestSpan, in batch: RequestBatch, now: EpochMilliseconds
  ) -> [MessageVerdict]

  /// What people should look at when authorization that was made a moment ago is refused with this verdict; nil when
  /// it says nothing in particular.
  func hint(onRefusalOfFreshAccess verdict: MessageVerdict) -> String?

  /// Asks what became of an accepted transfer; nil where nothing is settled later.
  func statusRequest(requestKey: Int64, headers: HeaderSet) -> RequestPage?
  /// Reads the answer to it.
  func transferStatus(from exchange: Exchange) -> TransferStatus
}

extension ProviderLane {
  public var pace: PaceRules { PaceRules() }
  public var settlesLater: Bool { false }
  public func payloadSize(of message: Int, in batch: RequestBatch, request: Int) -> Int {
    batch.page.requests[request].body.count
  }
  public func hint(onRefusalOfFreshAccess verdict: MessageVerdict) -> String? { nil }
  public func statusRequest(requestKey: Int64, headers: HeaderSet) -> RequestPage? { nil }
  public func transferStatus(from exchange: Exchange) -> TransferStatus { .failed("nothing to settle") }
}

/// Bytes that a provider takes.
public struct PayloadLimits: Sendable, Equatable {
  /// One message's final body (HMS: without its tokens).
  public var payload: Int
  /// One request's body.
  public var request: Int

  public init(payload: Int, request: Int = .max) {
    self.payload = payload
    self.request = request
  }
}

/// What one request carries.
public struct RequestSpan: Sendable {
  /// Indices into the slice's `messages`.
  public var messages: Range<Int>

  public init(messages: Range<Int>) { self.messages = messages }
}

/// The requests of a slice, and which messages each one carries.
public struct RequestBatch: Sendable {
  public var page: RequestPage
  /// One a request, same order as `page.requests`.
  public var spans: [RequestSpan]
  /// Tokens and ids, for answers that name them.
  public var slice: RenderedSlice
  public var input: RenderInput
  /// Messages found too large: indices into the slice's `messages` with their size. They are in no request.
  public var tooLarge: [(message: Int, bytes: Int)]

  /// How many of the slice's messages it deals with, from the first one on: all, unless one request was full.
  public var taken: Int {
    max(spans.last?.messages.upperBound ?? 0, (tooLarge.last?.message ?? -1) + 1)
  }

  public init(
    page: RequestPage, spans: [RequestSpan], slice: RenderedSlice, input: RenderInput,
    tooLarge: [(message: Int, bytes: Int)] = []
  ) {
    self.page = page
    self.spans = spans
    self.slice = slice
    self.input = input
    self.tooLarge = tooLarge
  }
}

/// What AppMetrica says of a transfer.
public enum TransferStatus: Sendable, Equatable {
  /// Not ready: ask again.
  case pending
  case sent
  /// Nothing of it was sent, because of what it says. Its own words.
  case failed(String)
  /// Nothing of it was sent, because the provider lacks what it needs to send to this application. Its own words.
  case misconfigured(String)
  /// It never arrived there.
  case notFound
  /// The answer says nothing: ask again later.
  case unclear(String)
  /// The credential was refused.
  case refused(String)
}
