import Base
import Campaign
import Providers
import Rendering
import Testing
import Transport

@Suite("Locales and variants in requests")
struct EditionPayloadTests {
  /// Recipients by profile, each with a locale or none.
  static func render(
    _ name: String, _ content: String, options: String = "{}", recipients: [(profile: Int64, locale: String?)]
  ) throws -> (batch: RequestBatch, renderer: PageRenderer) {
    let provider = try PayloadTests.provider(name)
    let launch = Fixtures.launch(
      content: try Content(json: JSONScanner.parse(content)),
      options: try LaunchOptions(json: JSONScanner.parse(options)),
      startedAt: 1_760_000_000_000)
    let channel = try Fixtures.channel(name, settings: Fixtures.settings(of: name))
    let renderer = try PageRenderer(
      shapes: launch.editions.map { try provider.shape(of: channel, launch: $0) },
      inbox: launch.options.writesInbox ? launch.editions.map(Inbox.shape(of:)) : [], launch: launch, channel: channel,
      platform: provider.platform, providerTitle: provider.title, links: nil, group: 1)
    var input = RenderInput(page: RecipientPage(), tokens: [], messages: [])
    for (index, recipient) in recipients.enumerated() {
      var row = Recipient(
        key: RecipientKey(profileID: recipient.profile, subscriptionID: Int64(index + 1)), state: .active,
        registeredAt: EpochMilliseconds(0), token: ByteRange(lower: 0, upper: 0))
      if let locale = recipient.locale {
        let start = input.page.bytes.count
        input.page.bytes += Array(locale.utf8)
        row.locale = ByteRange(lower: start, upper: input.page.bytes.count)
      }
      input.page.rows.append(row)
      let start = input.tokens.count
      input.tokens += Array("t\(index)".utf8)
      input.messages.append(.init(row: index, token: ByteRange(lower: start, upper: input.tokens.count)))
    }
    let lane = try provider.lane(
      of: channel, launch: launch, credential: Array(Fixtures.credential(of: name).utf8))
    let slice = renderer.render(input)
    #expect(slice.rejections.isEmpty)
    return (lane.requests(for: slice, input: input, headers: HeaderSet([]), requestKey: 1), renderer)
  }

  static func title(_ batch: RequestBatch, _ index: Int) throws -> String? {
    let message = try JSONScanner.parse(batch.body(index)).object?["message"]?.object
    return message?["android"]?.object?["data"]?.object?["_title"]?.string
  }

  @Test("everybody reads their language, a region its language's words, others the common ones")
  func locales() throws {
    let (batch, renderer) = try Self.render(
      "android-firebase", #"{"title":"T","locales":{"pt":{"title":"P"},"pt-BR":{"title":"B"},"ru":{"title":"Р"}}}"#,
      recipients: [(1, "pt-BR"), (2, "pt_PT"), (3, nil), (4, "de"), (5, "RU"), (6, "pt")])
    #expect(try (0..<6).map { try Self.title(batch, $0) } == ["B", "P", "T", "T", "Р", "P"])
    #expect(renderer.columns.contains(.profile))
  }

  @Test("a profile's variant is the same on all its devices, and shares are as weighed")
  func variants() throws {
    let content = #"{"title":"T","variants":[{"name":"a","weight":3,"title":"A"},{"name":"b","weight":1,"title":"B"}]}"#
    let recipients = (1...2000).map { (profile: Int64($0), locale: String?.none) }
    let (batch, renderer) = try Self.render("android-firebase", content, recipients: recipients + recipients)
    var counts = ["a": 0, "b": 0]
    for index in 0..<2000 {
      let name = try #require(renderer.variant(of: Int64(index + 1)))
      counts[name, default: 0] += 1
      #expect(try Self.title(batch, index) == name.uppercased())
      #expect(try Self.title(batch, index + 2000) == name.uppercased())
    }
    // Three quarters of 2,000; the standard deviation is 19.
    #expect((1400...1600).contains(try #require(counts["a"])))
    #expect(
      try Self.render("android-firebase", #"{"title":"T"}"#, recipients: [(1, nil)]).renderer.variant(of: 1) == nil)
  }

  @Test("equal payloads of a group fill Huawei's requests, one for each language, each with an id of its own")
  func groups() throws {
    let recipients = (1...9).map { (profile: Int64($0), locale: $0.isMultiple(of: 3) ? "ru" : nil) }
    let (batch, renderer) = try Self.render(
      "android-hms", #"{"title":"T","locales":{"ru":{"title":"Р"}}}"#, options: #"{"tracking":"group"}"#,
      recipients: recipients)
    #expect(renderer.isShared)
    #expect(batch.spans.map(\.messages) == [0..<6, 6..<9])
    let tokens = try (0..<2).map {
      try JSONScanner.parse(batch.body($0)).object?["message"]?.object?["token"]?.array?.compactMap(\.string)
    }
    #expect(tokens == [["t0", "t1", "t3", "t4", "t6", "t7"], ["t2", "t5", "t8"]])
    #expect(PayloadTests.uid(batch, 0) == PayloadTests.uid(batch, 5))
    #expect(PayloadTests.uid(batch, 0) != PayloadTests.uid(batch, 6))
  }

  @Test("the notification centre gets the words that the recipient got")
  func inbox() throws {
    let (batch, _) = try Self.render(
      "android-firebase",
      #"{"title":"Hi {{.Profile.id}}","body":"B","locales":{"ru":{"title":"Привет {{.Profile.id}}"}},"data":{"n":1},"buttons":[{"label":"L","link":"l"}]}"#,
      options: #"{"inbox":true}"#, recipients: [(1, nil), (2, "ru")])
    let rows = try batch.slice.messages.map { message in
      try JSONScanner.parse(Array(batch.slice.bytes[try #require(message.inbox).range])).text
    }
    let rest =
      #""body":"B","buttons":[{"label":"L","link":"l"}],"payload":"{\"pushName\":\"Sale\",\"pushDate\":\"2025-10-09T08:53:20Z\"}","#
      + #""push_name":"Sale","push_date":"2025-10-09T08:53:20Z","data":{"n":1}}"#
    #expect(rows == [#"{"title":"Hi 1","# + rest, #"{"title":"Привет 2","# + rest])
  }
}
