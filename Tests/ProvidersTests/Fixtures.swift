import Base
import Campaign
import Foundation
import Providers
import Rendering
import Testing
import Transport

/// 2026-03-10T12:00:00Z, from which `retry-after` dates are counted.
let noon = EpochMilliseconds(1_773_144_000_000)

/// Channels, launches, credentials and rendered slices as the adapters get them.
enum Fixtures {
  /// - Parameter settings: the row's JSON.
  static func channel(
    _ provider: String, settings: String = "{}", profile: PayloadProfile = .altcraft, template: String? = nil
  ) throws -> Channel {
    Channel(
      id: 7, accountID: 1, resourceID: 3, provider: provider, name: "Shop", isEnabled: true, profile: profile,
      template: template, settings: try ChannelSettings(json: JSONScanner.parse(settings)),
      credential: .file("shop.key"))
  }

  static func launch(
    content: Content = Content(), options: LaunchOptions = LaunchOptions(), startedAt: Int64? = nil,
    notAfter: Int64? = nil
  ) -> Launch {
    Launch(
      id: 5, account: Account(id: 1, name: "Shop", settings: AccountSettings()), campaignID: 2, campaignName: "Sale",
      state: .running, content: content, options: options, notBefore: nil,
      notAfter: notAfter.map { EpochMilliseconds($0) }, startedAt: startedAt.map { EpochMilliseconds($0) })
  }

  static var serviceAccount: String {
    JSON.object(
      JSONObject([
        .init(key: "type", value: .string("service_account")),
        .init(key: "project_id", value: .string("shop-1")),
        .init(key: "private_key_id", value: .string("key-1")),
        .init(key: "private_key", value: .string(TestKeys.rsa)),
        .init(key: "client_email", value: .string("salvo@shop-1.iam.example")),
        .init(key: "token_uri", value: .string("https://oauth2.googleapis.com/token")),
      ])
    ).text
  }

  static let apnsSettings = #"{"topic":"example.shop","team_id":"TEAM123456","key_id":"KEY1234567"}"#
  static let hmsClient = #"{"client_id":"10001","client_secret":"se+cr/et="}"#
  static let ruStoreSettings = #"{"project_id":"shop-ru"}"#

  /// Every provider with Altcraft's published structure.
  static let providers = Registry.providers.filter { $0.profiles.contains(.altcraft) }.map(\.name)

  /// The settings that a channel of a provider can't do without.
  static func settings(of provider: String) -> String {
    switch provider {
    case "ios-apns": apnsSettings
    case "android-rustore": ruStoreSettings
    case "android-appmetrica", "ios-appmetrica": #"{"group_id":97737}"#
    default: "{}"
    }
  }

  static func credential(of provider: String) -> String {
    switch provider {
    case "android-firebase", "ios-firebase", "web-firebase": serviceAccount
    case "ios-apns": TestKeys.p256
    case "android-hms", "ios-hms": hmsClient
    default: "y0_token"
    }
  }

  /// A token of the form that a provider takes.
  static func token(of provider: String) -> String {
    provider == "ios-apns" ? String(repeating: "0f", count: 32) : "A"
  }

  /// A lane with nothing but what it needs.
  static func lane(of provider: String, launch: Launch = launch()) throws -> any ProviderLane {
    try lane(provider, settings: settings(of: provider), launch: launch, credential: credential(of: provider))
  }

  static func fcm(settings: String = "{}", options: LaunchOptions = LaunchOptions()) throws -> any ProviderLane {
    try lane("android-firebase", settings: settings, launch: launch(options: options), credential: serviceAccount)
  }

  static func apns(settings: String = apnsSettings, launch: Launch = launch()) throws -> any ProviderLane {
    try lane("ios-apns", settings: settings, launch: launch, credential: TestKeys.p256)
  }

  static func hms(settings: String = "{}", credential: String = hmsClient) throws -> any ProviderLane {
    try lane("android-hms", settings: settings, credential: credential)
  }

  static func appMetrica(settings: String = #"{"group_id":97737}"#) throws -> any ProviderLane {
    try lane("android-appmetrica", settings: settings, credential: "y0_token")
  }

  static func lane(
    _ provider: String, settings: String = "{}", launch: Launch = launch(), credential: String
  ) throws -> any ProviderLane {
    try #require(Registry.provider(named: provider))
      .lane(of: channel(provider, settings: settings), launch: launch, credential: Array(credential.utf8))
  }
}

/// A slice as the renderer hands it over, built from given payloads.
struct SliceBuilder {
  private(set) var slice = RenderedSlice()
  private(set) var input = RenderInput(page: RecipientPage(), tokens: [], messages: [])

  /// Adds a payload for some tokens: one for all of them when it is shared.
  /// - Parameter landmarks: texts within the body, in the shape's order; "" for one that isn't there.
  mutating func add(
    _ body: String, tokens: [String], landmarks: [String] = [], uid: String = "Tuid", registeredAt: Int64 = 0
  ) {
    let start = slice.bytes.count
    slice.bytes += Array(body.utf8)
    let range = ByteRange(lower: start, upper: slice.bytes.count)
    for token in tokens {
      let uidStart = slice.bytes.count
      slice.bytes += Array(uid.utf8)
      let tokenStart = input.tokens.count
      input.tokens += Array(token.utf8)
      input.page.rows.append(
        Recipient(
          key: RecipientKey(profileID: 1, subscriptionID: Int64(input.messages.count)), state: .active,
          registeredAt: EpochMilliseconds(registeredAt), token: ByteRange(lower: 0, upper: 0)))
      slice.messages.append(
        .init(
          input: input.messages.count, body: range, uid: ByteRange(lower: uidStart, upper: slice.bytes.count)))
      input.messages.append(
        .init(row: input.messages.count, token: ByteRange(lower: tokenStart, upper: input.tokens.count)))
      for landmark in landmarks {
        let place = Data(body.utf8).range(of: Data(landmark.utf8))
        let lower = landmark.isEmpty ? 0 : start + (place?.lowerBound ?? 0)
        slice.landmarks.append(ByteRange(lower: lower, upper: lower + landmark.utf8.count))
      }
    }
  }

  func requests(_ lane: any ProviderLane, requestKey: Int64 = 0) -> RequestBatch {
    lane.requests(for: slice, input: input, headers: HeaderSet([]), requestKey: requestKey)
  }
}

extension RequestBatch {
  func body(_ index: Int) -> String { text(page.requests[index].body) }
  func path(_ index: Int) -> String { text(page.requests[index].path) }

  /// The request's own header lines.
  func headers(_ index: Int) -> [String] {
    page.bytes[page.requests[index].headers.range].split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
  }

  private func text(_ range: ByteRange) -> String { String(decoding: page.bytes[range.range], as: UTF8.self) }
}

extension ProviderLane {
  /// The verdicts on one answer to a request for `tokens`.
  func verdicts(
    _ status: Int, _ body: String = "", retryAfter: String? = nil, tokens: [String] = ["token"],
    registeredAt: Int64 = 0
  ) -> [MessageVerdict] {
    verdicts(status, bytes: Array(body.utf8), retryAfter: retryAfter, tokens: tokens, registeredAt: registeredAt)
  }

  func verdicts(
    _ status: Int, bytes: [UInt8], retryAfter: String? = nil, tokens: [String] = ["token"], registeredAt: Int64 = 0
  ) -> [MessageVerdict] {
    verdicts(
      .answered(Answer(status: status, retryAfter: retryAfter, body: bytes)), tokens: tokens,
      registeredAt: registeredAt)
  }

  func verdicts(_ exchange: Exchange, tokens: [String] = ["token"], registeredAt: Int64 = 0) -> [MessageVerdict] {
    var builder = SliceBuilder()
    builder.add("{}", tokens: tokens, landmarks: ["", "", ""], registeredAt: registeredAt)
    let batch = RequestBatch(
      page: RequestPage(bytes: [], requests: [], headers: HeaderSet([])), spans: [], slice: builder.slice,
      input: builder.input)
    return verdicts(for: exchange, of: RequestSpan(messages: 0..<tokens.count), in: batch, now: noon)
  }

  /// The token as it would be sent, nil when it is refused.
  func token(_ text: String) -> String? {
    var out = Array("before".utf8)
    guard appendToken(Array(text.utf8)[...], to: &out) else {
      #expect(out == Array("before".utf8))
      return nil
    }
    return String(decoding: out.dropFirst(6), as: UTF8.self)
  }
}

/// The parts of a JWT.
struct DecodedJWT {
  let header: JSON
  let claims: JSON
  let signatureBytes: Int

  init(_ token: some StringProtocol) throws {
    let parts = token.split(separator: ".")
    try #require(parts.count == 3)
    header = try JSONScanner.parse(try #require(Base64URL.decode(parts[0].utf8)))
    claims = try JSONScanner.parse(try #require(Base64URL.decode(parts[1].utf8)))
    signatureBytes = try #require(Base64URL.decode(parts[2].utf8)).count
  }
}

/// The code of the `ProviderError` that `body` throws, with its text; nil when it throws none.
func providerError(_ body: () throws -> Void) -> ProviderError? {
  do { try body() } catch { return error as? ProviderError }
  return nil
}
