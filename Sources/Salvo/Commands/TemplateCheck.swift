import Base
import Campaign
import Providers
import Rendering
import Signing

/// Tries a channel's own template with every sample and looks at what comes out as the provider will.
struct TemplateCheck {
  enum Result {
    /// One line.
    case accepted(String)
    case refused([TemplateError])
  }

  private let provider: any Provider
  private let links: HubLinks

  /// Bytes of one message's payload; AppMetrica names none.
  private var limit: Int? { provider.name.hasSuffix("-appmetrica") ? nil : 4096 }

  init(_ provider: any Provider) throws {
    self.provider = provider
    links = try HubLinks(
      hubURL: "https://hub.example", keys: [LinkKey(text: Array(repeating: UInt8(ascii: "0"), count: 128))])
  }

  /// - Throws: `UsageError` that names the providers there are.
  static func provider(named name: String) throws(UsageError) -> any Provider {
    if let provider = Registry.provider(named: name) { return provider }
    let known = Registry.providers.map(\.name).joined(separator: ", ")
    throw UsageError("there is no provider \"\(name)\"; there are \(known)")
  }

  /// - Throws: `TemplateError` when the template can't be rendered, `ProviderError` when the provider has none of it.
  func run(_ template: TemplateSource) throws -> Result {
    let outline = try TemplateOutline(template)
    let place = try tokenPlace()
    var found: [(reason: TemplateError, samples: [String])] = []
    for sample in TemplateSamples.all {
      for reason in complaints(try render(template, sample), outline, token: place) {
        if let known = found.firstIndex(where: { $0.reason == reason }) {
          found[known].samples.append(sample.name)
        } else {
          found.append((reason, [sample.name]))
        }
      }
    }
    // What every sample shows is no sample's matter.
    var reasons = found.map { reason, samples in
      samples.count == TemplateSamples.all.count ? reason : reason.naming(samples[0])
    }
    let plain = TemplateSamples(name: "the plain message", content: TemplateSamples.plain, isPersonal: false)
    let bytes = size(try render(template, plain))
    if let limit, bytes > limit {
      reasons.append(
        outline.error(at: [], "\(plain.name) takes \(bytes) bytes, \(provider.name) takes \(limit) at most"))
    }
    if !reasons.isEmpty { return .refused(reasons) }
    let room = limit.map { " of \($0)" } ?? ""
    return .accepted(
      "\(template.name): good for \(provider.name); \(TemplateSamples.all.count) samples rendered, \(plain.name) "
        + "takes \(bytes)\(room) bytes, \(try customData(template))")
  }

  /// What a sample came to.
  private struct Rendered {
    let slice: RenderedSlice
    let shape: PayloadShape
    let json: JSON

    var body: ArraySlice<UInt8> { slice.bytes[slice.messages[0].body.range] }
  }

  /// - Parameter template: nil for the built-in one.
  private func render(_ template: TemplateSource?, _ sample: TemplateSamples) throws -> Rendered {
    let (launch, input) = sample.launchAndInput
    let channel = TemplateSamples.channel(
      of: provider, profile: template == nil ? provider.profiles.first ?? .altcraft : .custom,
      template: template.map { String(decoding: $0.text, as: UTF8.self) })
    var shape = try provider.shape(of: channel, launch: launch)
    if let template { shape.template = template }
    do {
      let slice = try PageRenderer(
        shape: shape, launch: launch, channel: channel, platform: provider.platform, providerTitle: provider.title,
        links: links, group: 1
      ).render(input)
      if let rejection = slice.rejections.first {
        throw TemplateError(source: shape.template.name, line: 1, column: 1, message: rejection.detail)
      }
      let body = Array(slice.bytes[slice.messages[0].body.range])
      return Rendered(slice: slice, shape: shape, json: try JSONScanner.parse(body))
    } catch let error as TemplateError {
      throw error.naming(sample.name)
    } catch let error as JSONError {
      throw TemplateError(source: shape.template.name, line: 1, column: 1, message: "no JSON: \(error)").naming(
        sample.name)
    }
  }

  /// Where the built-in template has the token; nil for a provider that takes it elsewhere.
  private func tokenPlace() throws -> [JSONPath.Step]? {
    let plain = TemplateSamples(name: "plain", content: TemplateSamples.plain, isPersonal: false)
    return Self.path(to: TemplateSamples.token, in: try render(nil, plain).json)
  }

  private static func path(to text: String, in json: JSON) -> [JSONPath.Step]? {
    switch json {
    case .string(text): return []
    case .object(let object):
      for member in object.members {
        if let rest = path(to: text, in: member.value) { return [.member(member.key)] + rest }
      }
    case .array(let elements):
      for element in elements { if let rest = path(to: text, in: element) { return [.element] + rest } }
    default: break
    }
    return nil
  }

  private func complaints(
    _ rendered: Rendered, _ outline: TemplateOutline, token place: [JSONPath.Step]?
  ) -> [TemplateError] {
    var complaints: [TemplateError] = []
    if let place, Self.path(to: TemplateSamples.token, in: rendered.json) != place {
      complaints.append(
        outline.error(at: place, "\(provider.name) takes the token as \(Self.text(place)): {{.SubscriptionID}}"))
    }
    for path in textMaps {
      let map = path.reduce(rendered.json as JSON?) { $0?.object?[$1] }
      guard let map else { continue }
      let steps = path.map { JSONPath.Step.member($0) }
      guard let members = map.object?.members else {
        complaints.append(
          outline.error(at: steps, "\(Self.text(steps)) is \(map.kind), an object of texts was expected"))
        continue
      }
      for member in members where member.value.string == nil {
        let place = steps + [.member(member.key)]
        complaints.append(
          outline.error(
            at: place, "\(Self.text(place)) is \(member.value.kind), \(provider.name) takes only texts there"))
      }
    }
    return complaints
  }

  /// Objects whose values must be texts: FCM refuses a whole message for one number in them (TYPE_STRING), and RuStore
  /// has the same map.
  private var textMaps: [[String]] {
    if provider.name.hasSuffix("-firebase") { return [["message", "data"], ["message", "android", "data"]] }
    return provider.name == "android-rustore" ? [["message", "data"]] : []
  }

  private static func text(_ steps: [JSONPath.Step]) -> String {
    steps.reduce("") { text, step in
      switch step {
      case .member(let name): text.isEmpty ? name : "\(text).\(name)"
      case .anyMember: "\(text).*"
      case .element: "\(text)[]"
      case .inside: "\(text){}"
      }
    }
  }

  /// Huawei counts neither the tokens, nor `data` as the object it is here: it travels as a text.
  private func size(_ rendered: Rendered) -> Int {
    var bytes = rendered.body.count
    guard provider.name.hasSuffix("-hms") else { return bytes }
    for (path, range) in zip(rendered.shape.landmarks, rendered.slice.landmarks) {
      if path == "message.token" { bytes -= range.count - 2 }
      if path == "message.data", rendered.slice.bytes[range.range].first == UInt8(ascii: "{") {
        bytes += JSON.string(String(decoding: rendered.slice.bytes[range.range], as: UTF8.self)).text.utf8.count
        bytes -= range.count
      }
    }
    return bytes
  }

  /// What becomes of the customer's own data.
  private func customData(_ template: TemplateSource) throws -> String {
    var content = TemplateSamples.plain
    content.data = JSONObject([.init(key: "order", value: .string("5"))])
    do {
      _ = try render(template, TemplateSamples(name: "with custom data", content: content, isPersonal: false))
      return "custom data has its place"
    } catch {
      return "custom data has no place"
    }
  }
}

extension TemplateError {
  /// With the sample that showed it.
  fileprivate func naming(_ sample: String) -> TemplateError {
    TemplateError(source: source, line: line, column: column, message: "\(message) (\(sample))")
  }
}
