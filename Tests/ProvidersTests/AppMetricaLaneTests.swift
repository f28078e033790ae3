import Base
import Campaign
import Providers
import Rendering
import Testing
import Transport

@Suite("AppMetrica's requests")
struct AppMetricaLaneTests {
  /// One rendered message and its three places.
  static func payload(_ text: String) -> (body: String, landmarks: [String]) {
    let ids = #"["t"]"#
    let batch =
      #"[{"messages":{"android":{"content":{"text":"\#(text)"}}},"devices":[{"id_values":\#(ids),"id_type":"google_aid"}]}]"#
    let root = #"{"group_id":97737,"tag":"sale","batch":\#(batch)}"#
    return (#"{"push_batch_request":\#(root)}"#, [root, batch, ids])
  }

  static func add(_ text: String, tokens: [String], to builder: inout SliceBuilder) {
    let payload = payload(text)
    builder.add(payload.body, tokens: tokens, landmarks: payload.landmarks)
  }

  @Test("one request: the window's id, one head, an entry a payload")
  func bytes() throws {
    var builder = SliceBuilder()
    Self.add("one", tokens: ["A"], to: &builder)
    Self.add("two", tokens: ["B"], to: &builder)
    Self.add("all", tokens: ["C", "D"], to: &builder)
    let batch = builder.requests(try Fixtures.appMetrica(), requestKey: 9_007_199_254_740_993)
    func entry(_ text: String, _ ids: String) -> String {
      #"{"messages":{"android":{"content":{"text":"\#(text)"}}},"devices":[{"id_values":[\#(ids)],"id_type":"google_aid"}]}"#
    }
    #expect(
      batch.body(0)
        == #"{"push_batch_request":{"client_transfer_id":9007199254740993,"group_id":97737,"tag":"sale","batch":["#
        + [entry("one", #""A""#), entry("two", #""B""#), entry("all", #""C","D""#)].joined(separator: ",") + "]}}")
    #expect(batch.page.requests.count == 1)
    #expect(batch.path(0) == "/push/v1/send-batch")
    #expect(batch.spans.map(\.messages) == [0..<4])
    #expect(batch.taken == 4)
    _ = try JSONScanner.parse(batch.body(0))
  }

  /// What is left of a slice behind its first messages.
  static func dropFirst(_ count: Int, of builder: SliceBuilder) -> RenderedSlice {
    var slice = builder.slice
    slice.messages.removeFirst(count)
    slice.landmarks.removeFirst(count * 3)
    return slice
  }

  @Test("12,000 messages are windows of 5,000, 5,000 and 2,000")
  func windows() throws {
    let lane = try Fixtures.appMetrica()
    var builder = SliceBuilder()
    for index in 0..<12_000 { Self.add("x", tokens: ["t\(index)"], to: &builder) }
    var done = 0
    var sizes: [Int] = []
    var ids: [String] = []
    while done < 12_000, sizes.count < 10 {
      let batch = lane.requests(
        for: Self.dropFirst(done, of: builder), input: builder.input, headers: HeaderSet([]),
        requestKey: Int64(sizes.count))
      let request = try JSONScanner.parse(batch.body(0)).object?["push_batch_request"]?.object
      #expect(request?["client_transfer_id"]?.int == Int64(sizes.count))
      for entry in try #require(request?["batch"]?.array) {
        ids += entry.object?["devices"]?.array?.first?.object?["id_values"]?.array?.compactMap(\.string) ?? []
      }
      sizes.append(batch.taken)
      done += batch.taken
    }
    #expect(sizes == [5000, 5000, 2000])
    #expect(ids == (0..<12_000).map { "t\($0)" })
  }

  @Test("6 MiB end a request before 5,000 messages do: the longest prefix that fits is taken")
  func sixMegabytes() throws {
    let text = String(repeating: "x", count: 2000)
    var builder = SliceBuilder()
    for index in 0..<5000 { Self.add(text, tokens: [String(10_000 + index)], to: &builder) }
    let batch = builder.requests(try Fixtures.appMetrica(), requestKey: 1)
    // Head and tail around the batch, then entries with a comma between them.
    let head = #"{"push_batch_request":{"client_transfer_id":1,"group_id":97737,"tag":"sale","batch":[]}}"#.utf8.count
    let entry = Self.payload(text).landmarks[1].utf8.count - 2 - #""t""#.utf8.count + #""10000""#.utf8.count
    let fitting = (6 * 1024 * 1024 - head + 1) / (entry + 1)
    #expect(batch.spans.map(\.messages) == [0..<fitting])
    #expect(batch.page.requests[0].body.count == head + fitting * (entry + 1) - 1)
    #expect(batch.page.requests[0].body.count <= 6 << 20)
    #expect(batch.tooLarge.isEmpty)
    #expect(batch.taken == fitting)
  }

  @Test("6 MiB to the byte are one request, a byte more is two", arguments: [(0, 2), (1, 1)])
  func exactly(_ more: Int, _ taken: Int) throws {
    let frame = #"{"push_batch_request":{"client_transfer_id":1,"group_id":97737,"tag":"sale","batch":["#.utf8.count + 3
    let entry = Self.payload("").landmarks[1].utf8.count - 2
    let texts = 6 * 1024 * 1024 - frame - 2 * entry - 1 + more
    var builder = SliceBuilder()
    Self.add(String(repeating: "x", count: 3_000_000), tokens: ["A"], to: &builder)
    Self.add(String(repeating: "y", count: texts - 3_000_000), tokens: ["B"], to: &builder)
    let batch = builder.requests(try Fixtures.appMetrica(), requestKey: 1)
    #expect(batch.taken == taken)
    if more == 0 { #expect(batch.page.requests[0].body.count == 6 * 1024 * 1024) }
  }

  @Test("one payload with many ids ends at the same limit, within its id list")
  func manyIDs() throws {
    let tokens = (0..<5000).map { String(repeating: "x", count: 2000) + String(10_000 + $0) }
    var builder = SliceBuilder()
    Self.add("one", tokens: tokens, to: &builder)
    let batch = builder.requests(try Fixtures.appMetrica())
    let end = try #require(batch.spans.first).messages.upperBound
    #expect(batch.page.requests[0].body.count <= 6 << 20)
    #expect(batch.page.requests[0].body.count + 2008 > 6 << 20)
    let ids = try JSONScanner.parse(batch.body(0)).object?["push_batch_request"]?.object?["batch"]?.array?.first?
      .object?["devices"]?.array?.first?.object?["id_values"]?.array
    #expect(ids?.compactMap(\.string) == Array(tokens[..<end]))
  }

  @Test("a message too large for any request is reported; the request ends before the next such one")
  func tooLarge() throws {
    let huge = String(repeating: "x", count: 6 << 20)
    var builder = SliceBuilder()
    Self.add(huge, tokens: ["A"], to: &builder)
    Self.add("small", tokens: ["B"], to: &builder)
    Self.add(huge, tokens: ["C"], to: &builder)
    Self.add("last", tokens: ["D"], to: &builder)
    let lane = try Fixtures.appMetrica()
    let first = builder.requests(lane)
    #expect(first.tooLarge.map(\.message) == [0])
    #expect(first.spans.map(\.messages) == [1..<2])
    #expect(first.taken == 2)
    let second = lane.requests(
      for: Self.dropFirst(2, of: builder), input: builder.input, headers: HeaderSet([]), requestKey: 0)
    #expect(second.tooLarge.map(\.message) == [0])
    #expect(second.spans.map(\.messages) == [1..<2])
    #expect(second.taken == 2)
  }

  @Test("nothing but too large ones makes no request")
  func onlyTooLarge() throws {
    var builder = SliceBuilder()
    Self.add(String(repeating: "x", count: 6 << 20), tokens: ["A"], to: &builder)
    let batch = builder.requests(try Fixtures.appMetrica())
    #expect(batch.page.requests.isEmpty)
    #expect(batch.spans.isEmpty)
    #expect(batch.taken == 1)
    #expect(SliceBuilder().requests(try Fixtures.appMetrica()).taken == 0)
  }

  @Test("HTTP/1.1, one connection, OAuth, settled later")
  func pool() throws {
    let lane = try Fixtures.appMetrica()
    #expect(lane.pool.endpoint == "https://push.api.appmetrica.yandex.net")
    #expect(lane.pool.version == .http1)
    #expect(lane.pool.connections == 1)
    #expect(lane.pool.streams == 1)
    #expect(lane.settlesLater)
    #expect(lane.messagesPerRequest == 5000)
    guard case .ready(let access) = try lane.access.begin(now: noon) else {
      Issue.record("the token is there")
      return
    }
    #expect(lane.headerLines(access) == ["authorization: OAuth y0_token", "content-type: application/json"])
    #expect(access.renewAt > noon.adding(seconds: 1e9))
  }

  @Test("a token file with a second line is refused without its text (C19)")
  func badToken() throws {
    let lane = try Fixtures.lane("android-appmetrica", settings: #"{"group_id":1}"#, credential: "abc123\n")
    guard case .ready(let access) = try lane.access.begin(now: noon) else { return }
    #expect(access.authorization == "OAuth abc123")
    let error = providerError {
      _ = try Fixtures.lane("android-appmetrica", settings: #"{"group_id":1}"#, credential: "abc\r\nX-Evil: 1")
    }
    #expect(error?.code == .configuration)
    #expect(error?.description.contains("Evil") == false)
  }

  @Test("a missing group is named")
  func noGroup() {
    #expect(
      providerError { _ = try Fixtures.appMetrica(settings: "{}") }?.description
        == "channel 7 (Shop): the settings need group_id")
  }

  @Test("the status is asked by group and window")
  func statusRequest() throws {
    let page = try #require(try Fixtures.appMetrica().statusRequest(requestKey: 42, headers: HeaderSet(["a: b"])))
    let request = try #require(page.requests.first)
    #expect(request.method == .get)
    #expect(String(decoding: page.bytes[request.path.range], as: UTF8.self) == "/push/v1/status/97737/42")
    #expect(request.body.isEmpty)
    #expect(page.headers.lines == ["a: b"])
    #expect(try Fixtures.fcm().statusRequest(requestKey: 42, headers: HeaderSet([])) == nil)
  }
}
