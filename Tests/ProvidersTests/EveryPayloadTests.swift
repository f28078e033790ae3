import Base
import Campaign
import Providers
import Testing
import Transport

@Suite("What holds for the payloads of all")
struct EveryPayloadTests {
  static let appMetrica = ["android-appmetrica", "ios-appmetrica"]
  static let apple = ["ios-firebase", "ios-apns", "ios-hms"]

  static func content(_ change: (inout Content) -> Void) -> Content {
    var content = PayloadTests.content
    change(&content)
    return content
  }

  @Test("nine providers, each with a name of its own")
  func registry() {
    #expect(
      Registry.providers.map(\.name) == [
        "android-firebase", "ios-firebase", "web-firebase", "ios-apns", "android-hms", "ios-hms", "android-appmetrica",
        "ios-appmetrica", "android-rustore",
      ])
    #expect(
      Registry.providers.map(\.title) == [
        "Android Firebase", "iOS Firebase", "Web Firebase", "iOS APNS", "Android HMS", "iOS HMS", "Android AppMetrica",
        "iOS AppMetrica", "Android RuStore",
      ])
    for provider in Registry.providers {
      #expect(provider.name.hasPrefix(provider.platform.rawValue))
    }
  }

  /// The published example of customers' own data, and C06's and C07's values.
  static let custom = """
    {"custom_field_1":"value1","custom_field_2":42,"custom_object":"{\\"nested_key\\": \\"nested_value\\"}",
    "order_id":9007199254740993,"price":129.90,"exp":1e3,"big":18446744073709551616,"vip":true,"off":false,
    "cart":{"n":2,"items":["a","b"]},"tags":["x"],"empty":"","none":null}
    """
  /// The same where a provider takes strings only.
  static let strings = """
    {"custom_field_1":"value1","custom_field_2":"42","custom_object":"{\\"nested_key\\": \\"nested_value\\"}",
    "order_id":"9007199254740993","price":"129.90","exp":"1e3","big":"18446744073709551616","vip":"true","off":"false",
    "cart":"{\\"n\\":2,\\"items\\":[\\"a\\",\\"b\\"]}","tags":"[\\"x\\"]","empty":""}
    """

  @Test("customers' own data: native at the root of Apple's payloads, strings elsewhere", arguments: Fixtures.providers)
  func customData(_ provider: String) throws {
    let given = try #require(JSONScanner.parse(Self.custom).object)
    let payload = try RenderedPayload(provider, Self.content { $0.data = given })
    let isNative = Self.apple.contains(provider)
    let expected = isNative ? given : try #require(JSONScanner.parse(Self.strings).object)
    let data = try payload.data()
    #expect(Array(data.members.filter { given.keys.contains($0.key) }) == expected.members)
    // Customers' members first, then our own.
    #expect(Array(data.keys.prefix(expected.keys.count)) == expected.keys)
  }

  @Test("the platform's own data win over the common", arguments: Fixtures.providers)
  func platformData(_ provider: String) throws {
    let content = Self.content {
      $0.data.set("a", .string("common"))
      $0.platformData[.android] = JSONObject([.init(key: "a", value: .string("android"))])
      $0.platformData[.ios] = JSONObject([.init(key: "a", value: .string("ios"))])
    }
    let data = try RenderedPayload(provider, content).data()
    #expect(data["a"] == .string(provider.hasPrefix("ios") ? "ios" : "android"))
  }

  /// Milliseconds, then what stands for it at FCM and RuStore, at Huawei, at AppMetrica, and for Apple. The clock is
  /// at 1,760,000,000.
  static let timesToLive: [(Int64?, String?, String?, String?, String?)] = [
    (nil, nil, nil, nil, nil),
    (0, "0s", "0s", "0", "0"),
    (3_600_000, "3600s", "3600s", "3600", "1760003600"),
    (1_296_000_000, "1296000s", "1296000s", "1296000", "1761296000"),
    (2_419_200_000, "2419200s", nil, "2419200", "1762419200"),
    (3500, "3.5s", "3s", "3", "1760000003"),
  ]

  @Test("time to live (C12)", arguments: timesToLive)
  func timeToLive(_ ttl: Int64?, _ duration: String?, _ huawei: String?, _ seconds: String?, _ moment: String?) throws {
    let content = Self.content { $0.ttlMilliseconds = ttl }
    // What Huawei would refuse is refused before: the test below.
    let isTooLong = ttl ?? 0 > 1_296_000_000
    for provider in Fixtures.providers where provider != "ios-apns" && !(isTooLong && provider.hasSuffix("hms")) {
      let expected: JSON? =
        switch provider {
        case "android-firebase", "android-rustore": duration.map { .string($0) }
        case "android-hms": huawei.map { .string($0) }
        case "ios-firebase", "ios-hms": moment.map { .string($0) }
        default: seconds.map { .number($0) }
        }
      #expect(try RenderedPayload(provider, content).timeToLive == expected, "\(provider)")
    }
    let lane = try Fixtures.lane(
      of: "ios-apns", launch: Fixtures.launch(content: content, startedAt: 1_760_000_000_000))
    let access = Access(authorization: nil, renewAt: noon, validUntil: noon)
    #expect(
      lane.headerLines(access).filter { $0.hasPrefix("apns-expiration") }
        == moment.map { ["apns-expiration: \($0)"] } ?? [])
  }

  @Test("more than Huawei's fifteen days is refused by name", arguments: ["android-hms", "ios-hms"])
  func huaweisLongest(_ provider: String) throws {
    _ = try Fixtures.lane(
      of: provider, launch: Fixtures.launch(content: Self.content { $0.ttlMilliseconds = 1_296_000_000 }))
    let error = providerError {
      _ = try Fixtures.lane(
        of: provider, launch: Fixtures.launch(content: Self.content { $0.ttlMilliseconds = 1_296_001_000 }))
    }
    #expect(error?.code == .content)
    #expect(
      error?.description == "ttl may be 1296000 s (15 days) at most for channel 7 (Shop), not 1296001 s")
  }

  @Test("soundless: the sound is an empty text and the flag says so", arguments: Fixtures.providers)
  func soundless(_ provider: String) throws {
    let loud = try RenderedPayload(provider, Self.content { _ in })
    let quiet = try RenderedPayload(provider, Self.content { $0.soundless = true })
    #expect(loud.aps?["sound"] == (Self.apple.contains(provider) ? .string("default") : nil))
    #expect(quiet.aps?["sound"] == (Self.apple.contains(provider) ? .string("") : nil))
    let hasFlag = !Self.appMetrica.contains(provider)
    #expect(try loud.data()["_soundless"] == (hasFlag ? .string("false") : nil))
    #expect(try quiet.data()["_soundless"] == (hasFlag ? .string("true") : nil))
  }

  @Test("a sound is any JSON value that Apple knows", arguments: apple)
  func sound(_ provider: String) throws {
    let critical = JSON.object(
      JSONObject([.init(key: "critical", value: .number("1")), .init(key: "name", value: .string("a.caf"))]))
    #expect(try RenderedPayload(provider, Self.content { $0.sound = critical }).aps?["sound"] == critical)
  }

  @Test("silent: a background push for Apple, a flag at AppMetrica, nothing elsewhere", arguments: Fixtures.providers)
  func silent(_ provider: String) throws {
    let plain = try RenderedPayload(provider, Self.content { _ in })
    let silent = try RenderedPayload(provider, Self.content { $0.silent = true })
    switch provider {
    case _ where Self.apple.contains(provider):
      #expect(silent.aps.map { JSON.object($0).text } == #"{"content-available":1}"#)
      #expect(try silent.data().keys == plain.data().keys)
    case _ where Self.appMetrica.contains(provider):
      #expect(plain.entry?["silent"] == .bool(false))
      #expect(silent.entry?["silent"] == .bool(true))
    default: #expect(silent.root == plain.root)
    }
  }

  @Test(
    "C11: badge 0 is a number, none is no member", arguments: ["ios-firebase", "ios-apns", "ios-hms", "ios-appmetrica"])
  func badge(_ provider: String) throws {
    func badge(_ badge: Int?) throws -> JSON? {
      let payload = try RenderedPayload(provider, Self.content { $0.badge = badge })
      return (payload.aps ?? payload.entry?["content"]?.object)?["badge"]
    }
    #expect(try badge(nil) == nil)
    #expect(try badge(0) == .number("0"))
    #expect(try badge(5) == .number("5"))
  }

  @Test(
    "without buttons the list is there and empty", arguments: Fixtures.providers.filter { !appMetrica.contains($0) })
  func noButtons(_ provider: String) throws {
    #expect(try RenderedPayload(provider, Self.content { $0.buttons = [] }).data()["_buttons"] == .string("[]"))
  }

  /// A body of some bytes as it leaves, its tokens not counted. B3 of C09: two bytes a letter, and one for the rest.
  static func batch(_ provider: String, bytes: Int) throws -> RequestBatch {
    func batch(_ body: String) throws -> RequestBatch {
      try PayloadTests.batch(provider, content: Self.content { $0.body = body })
    }
    let room = try bytes - (batch("x").page.requests[0].body.count - 1) + (provider.hasSuffix("hms") ? 3 : 0)
    return try batch(String(repeating: "Ж", count: room / 2) + String(repeating: "x", count: room % 2))
  }

  @Test(
    "4,096 bytes of the final body go, 4,097 don't (C09)",
    arguments: Fixtures.providers.filter { !appMetrica.contains($0) })
  func longest(_ provider: String) throws {
    let fits = try Self.batch(provider, bytes: 4096)
    #expect(fits.tooLarge.isEmpty)
    // Huawei's limit leaves out the tokens: "A" between its quotes.
    #expect(fits.page.requests.map(\.body.count) == [provider.hasSuffix("hms") ? 4099 : 4096])
    let over = try Self.batch(provider, bytes: 4097)
    #expect(over.page.requests.isEmpty)
    #expect(over.tooLarge.map(\.message) == [0])
    #expect(over.tooLarge.map(\.bytes) == [4097])
  }
}
