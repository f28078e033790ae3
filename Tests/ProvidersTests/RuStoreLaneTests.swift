import Base
import Campaign
import Providers
import Testing
import Transport

@Suite("RuStore's requests")
struct RuStoreLaneTests {
  static func lane(_ settings: String, credential: String = "s2s-token") throws -> any ProviderLane {
    try Fixtures.lane("android-rustore", settings: settings, credential: credential)
  }

  @Test("a message is one POST of the rendered bytes to the project's path")
  func requests() throws {
    let lane = try Fixtures.lane(of: "android-rustore")
    var builder = SliceBuilder()
    builder.add(#"{"message":{"token":"a"}}"#, tokens: ["a"])
    builder.add(#"{"message":{"token":"b"}}"#, tokens: ["b"])
    let batch = builder.requests(lane)
    #expect(batch.spans.map(\.messages) == [0..<1, 1..<2])
    #expect((0..<2).map(batch.path) == Array(repeating: "/v1/projects/shop-ru/messages:send", count: 2))
    #expect(batch.body(0) == #"{"message":{"token":"a"}}"#)
    #expect(batch.body(1) == #"{"message":{"token":"b"}}"#)
    #expect(batch.headers(0).isEmpty)
    #expect(batch.page.requests[0].method == .post)
    #expect(lane.messagesPerRequest == 1)
    #expect(!lane.settlesLater)
  }

  @Test("RuStore's own host with 2 connections of 50 streams over HTTP/2, or what the settings say")
  func pool() throws {
    let pool = try Fixtures.lane(of: "android-rustore").pool
    #expect(pool.endpoint == "https://vkpns.rustore.ru")
    #expect(pool.version == .http2)
    #expect(pool.connections == 2)
    #expect(pool.streams == 50)
    let own = try Self.lane(#"{"project_id":"p","endpoint":"https://localhost:9740","connections":1,"streams":5}"#).pool
    #expect(own.endpoint == "https://localhost:9740")
    #expect(own.connections == 1)
    #expect(own.streams == 5)
  }

  @Test("the service token is the bearer as it stands, for ever; a second line is refused and not shown (C19)")
  func token() throws {
    let lane = try Self.lane(Fixtures.ruStoreSettings, credential: "abc-123\n")
    guard case .ready(let access) = try lane.access.begin(now: noon) else {
      Issue.record("nobody has to be asked")
      return
    }
    #expect(lane.headerLines(access) == ["authorization: Bearer abc-123", "content-type: application/json"])
    #expect(access.validUntil == EpochMilliseconds(.max))
    let error = providerError { _ = try Self.lane(Fixtures.ruStoreSettings, credential: "abc\r\nX-Evil: 1") }
    #expect(error?.code == .configuration)
    #expect(error?.description.hasPrefix("channel 7 (Shop): credential file:shop.key: ") == true)
    #expect(error?.description.contains("abc") == false)
  }

  @Test("a project is needed, and can't lead the path elsewhere")
  func project() throws {
    for settings in ["{}", #"{"project_id":".."}"#] {
      let error = providerError { _ = try Self.lane(settings) }
      #expect(error?.code == .configuration)
      #expect(error?.description == "channel 7 (Shop): the settings need project_id, RuStore's id of the project")
    }
  }

  @Test("the published priority stays unless the channel leaves it out; nothing empty is left behind")
  func priority() throws {
    func android(_ settings: String, ttl: Int64?) throws -> String? {
      let content = EveryPayloadTests.content { $0.ttlMilliseconds = ttl }
      return try RenderedPayload("android-rustore", content, settings: settings)["message", "android"]?.text
    }
    let without = #"{"project_id":"p","priority_field":false}"#
    #expect(try android(Fixtures.ruStoreSettings, ttl: 3_600_000) == #"{"priority":"HIGH","ttl":"3600s"}"#)
    #expect(try android(Fixtures.ruStoreSettings, ttl: nil) == #"{"priority":"HIGH"}"#)
    #expect(try android(without, ttl: 3_600_000) == #"{"ttl":"3600s"}"#)
    #expect(try android(without, ttl: nil) == nil)
  }
}
