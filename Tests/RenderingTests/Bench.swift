import Base
import Campaign

@testable import Rendering

/// A launch, a channel and recipients to render with.
struct Bench {
  var content = Content()
  var options = LaunchOptions()
  var account = AccountSettings()
  var settings = ChannelSettings()
  var provider = "android-firebase"
  var platform = Platform.android
  var title = "Android Firebase"
  var template: String
  var landmarks: [JSONPath] = []
  var dropEmpty: [JSONPath] = []
  var customData: CustomDataPlace?
  var listsTokens = false
  var links: HubLinks?
  var notAfter: EpochMilliseconds?
  var recipients: [Person] = [Person()]

  /// 2025-10-09T08:53:20Z
  static let start: Int64 = 1_760_000_000_000

  struct Person {
    var profile: Int64 = 7
    var subscription: Int64 = 70
    var token = "token-1"
    var externalID: String?
    var locale: String?
    var timeZone: String?
    var attributes: String?
    var variables: String?
  }

  init(_ template: String) { self.template = template }

  func renderer(group: Int64 = 1) throws(TemplateError) -> PageRenderer {
    let launch = Launch(
      id: 5, account: Account(id: 1, name: "Shop", settings: account), campaignID: 2, campaignName: "Sale",
      state: .running, content: content, options: options, notBefore: nil, notAfter: notAfter,
      startedAt: EpochMilliseconds(Self.start))
    let channel = Channel(
      id: 4, accountID: 1, resourceID: 3, provider: provider, name: "app", isEnabled: true, profile: .altcraft,
      template: nil, settings: settings, credential: .file("none"))
    let shape = PayloadShape(
      template: TemplateSource(name: "template", text: Array(template.utf8)), landmarks: landmarks,
      dropEmpty: dropEmpty, customData: customData, listsTokens: listsTokens)
    return try PageRenderer(
      shape: shape, launch: launch, channel: channel, platform: platform, providerTitle: title, links: links,
      group: group)
  }

  var input: RenderInput {
    var page = RecipientPage()
    var tokens: [UInt8] = []
    var messages: [RenderInput.Message] = []
    func add(_ text: String?, to bytes: inout [UInt8]) -> ByteRange? {
      guard let text else { return nil }
      let start = bytes.count
      bytes += text.utf8
      return ByteRange(lower: start, upper: bytes.count)
    }
    for (index, person) in recipients.enumerated() {
      let token = add(person.token, to: &page.bytes) ?? ByteRange(lower: 0, upper: 0)
      page.rows.append(
        Recipient(
          key: RecipientKey(profileID: person.profile, subscriptionID: person.subscription), state: .active,
          registeredAt: EpochMilliseconds(0), token: token, externalID: add(person.externalID, to: &page.bytes),
          locale: add(person.locale, to: &page.bytes), timeZone: add(person.timeZone, to: &page.bytes),
          attributes: add(person.attributes, to: &page.bytes), variables: add(person.variables, to: &page.bytes)))
      messages.append(
        RenderInput.Message(row: index, token: add(person.token, to: &tokens) ?? ByteRange(lower: 0, upper: 0)))
    }
    return RenderInput(page: page, tokens: tokens, messages: messages)
  }

  func slice() throws -> RenderedSlice { try renderer().render(input) }

  /// The payloads as text.
  func payloads() throws -> [String] {
    let slice = try slice()
    return slice.messages.map { String(decoding: slice.bytes[$0.body.range], as: UTF8.self) }
  }

  /// The only payload.
  func payload() throws -> String {
    let payloads = try payloads()
    guard payloads.count == 1 else { throw Unexpected(what: "\(payloads.count) payloads, \(try slice().rejections)") }
    return payloads[0]
  }

  /// The only payload, read strictly.
  func json() throws -> JSON { try JSONScanner.parse(try payload()) }

  /// Why it is refused; nil when it is not.
  func refusal() -> TemplateError? {
    do {
      _ = try renderer()
      return nil
    } catch {
      return error
    }
  }
}

struct Unexpected: Error {
  let what: String
}

extension JSON {
  /// The value that a path of keys and indices leads to.
  subscript(_ path: String) -> JSON? {
    var value = self
    for step in path.split(separator: "/") {
      if let index = Int(step), let array = value.array {
        guard array.indices.contains(index) else { return nil }
        value = array[index]
      } else {
        guard let member = value.object?[String(step)] else { return nil }
        value = member
      }
    }
    return value
  }

  /// JSON in a string, read strictly.
  func inside() throws -> JSON {
    guard let text = string else { throw Unexpected(what: "\(kind) instead of text") }
    return try JSONScanner.parse(text)
  }
}
