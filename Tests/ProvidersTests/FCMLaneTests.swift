import Base
import Campaign
import Providers
import Testing
import Transport

@Suite("FCM's requests")
struct FCMLaneTests {
  @Test("a message is one POST of the rendered bytes to the project's path")
  func requests() throws {
    let lane = try Fixtures.fcm()
    var builder = SliceBuilder()
    builder.add(#"{"message":{"token":"a"}}"#, tokens: ["a"])
    builder.add(#"{"message":{"token":"b"}}"#, tokens: ["b"])
    let batch = builder.requests(lane)
    #expect(batch.page.requests.count == 2)
    #expect(batch.spans.map(\.messages) == [0..<1, 1..<2])
    #expect(batch.taken == 2)
    #expect((0..<2).map(batch.path) == Array(repeating: "/v1/projects/shop-1/messages:send", count: 2))
    #expect(batch.body(0) == #"{"message":{"token":"a"}}"#)
    #expect(batch.body(1) == #"{"message":{"token":"b"}}"#)
    #expect(batch.headers(0).isEmpty)
    #expect(batch.page.requests[0].method == .post)
  }

  @Test("4,096 bytes go, 4,097 are reported with their size and in no request")
  func tooLarge() throws {
    var builder = SliceBuilder()
    builder.add(String(repeating: "x", count: 4097), tokens: ["a"])
    builder.add(String(repeating: "y", count: 4096), tokens: ["b"])
    let batch = builder.requests(try Fixtures.fcm())
    #expect(batch.tooLarge.map(\.message) == [0])
    #expect(batch.tooLarge.map(\.bytes) == [4097])
    #expect(batch.spans.map(\.messages) == [1..<2])
    #expect(batch.body(0) == String(repeating: "y", count: 4096))
    #expect(batch.taken == 2)
  }

  @Test("the lane's headers are the bearer and the content type")
  func headers() throws {
    let access = Access(authorization: "Bearer abc123", renewAt: noon, validUntil: noon)
    #expect(
      try Fixtures.fcm().headerLines(access) == ["authorization: Bearer abc123", "content-type: application/json"])
  }

  @Test("FCM's own host with 4 connections of 100 streams, or what the settings say")
  func pool() throws {
    let pool = try Fixtures.fcm().pool
    #expect(pool.endpoint == "https://fcm.googleapis.com")
    #expect(pool.version == .http2)
    #expect(pool.connections == 4)
    #expect(pool.streams == 100)
    #expect(pool.timeout == 20)
    #expect(!pool.startsWithOneRequest)
    let own = try Fixtures.fcm(
      settings: """
        {"endpoint":"https://localhost:9740","connections":2,"streams":10,"timeout":7,"ca_file":"/ca.pem",
        "proxy":"http://proxy:3128"}
        """
    ).pool
    #expect(own.endpoint == "https://localhost:9740")
    #expect(own.connections == 2)
    #expect(own.streams == 10)
    #expect(own.timeout == 7)
    #expect(own.caFile == "/ca.pem")
    #expect(own.proxy == "http://proxy:3128")
  }

  @Test("never more than 100 streams: Google would end the connection")
  func streams() throws {
    #expect(try Fixtures.fcm(settings: #"{"streams":1000}"#).pool.streams == 100)
  }

  @Test("the settings' project wins over the credential's")
  func project() throws {
    var builder = SliceBuilder()
    builder.add("{}", tokens: ["a"])
    #expect(
      builder.requests(try Fixtures.fcm(settings: #"{"project_id":"other-2"}"#)).path(0)
        == "/v1/projects/other-2/messages:send")
  }

  @Test("a project that could lead the path elsewhere is refused, and so is none at all")
  func badProject() throws {
    let evil = Fixtures.serviceAccount.replacing(#""shop-1""#, with: #""a/../b""#)
    let error = providerError { _ = try Fixtures.lane("android-firebase", credential: evil) }
    #expect(error?.code == .configuration)
    #expect(error?.description.contains("project_id") == true)
    let none = Fixtures.serviceAccount.replacing(#""project_id":"shop-1","#, with: "")
    #expect(providerError { _ = try Fixtures.lane("android-firebase", credential: none) }?.code == .configuration)
  }

  @Test("a setting that means nothing to FCM is refused by name")
  func foreignSetting() throws {
    let error = providerError { _ = try Fixtures.fcm(settings: #"{"group_id":5}"#) }
    #expect(error?.code == .configuration)
    #expect(error?.description.hasPrefix("channel 7 (Shop): the setting group_id means nothing") == true)
  }
}
