internal import Base

/// Where the members of a template stand, for messages about what it renders to.
public struct TemplateOutline: Sendable {
  private let payload: Payload

  /// - Throws: `TemplateError` when the template can't yield valid JSON.
  public init(_ template: TemplateSource) throws(TemplateError) {
    let source = SourceText(name: template.name, bytes: template.text)
    payload = try PayloadParser.parse(Parser.parse(source, root: Variable.schema))
    try Rehearsal.check(payload)
  }

  /// An error at the place that the steps lead to, or as far as they lead.
  public func error(at steps: [JSONPath.Step], _ message: String) -> TemplateError {
    payload.template.source.error(at: Self.place(of: steps[...], in: payload.root.value).offset ?? 0, message)
  }

  /// What was found: how many steps of the way, and the offset of the last; nil when it has none of its own.
  private typealias Place = (found: Int, offset: Int?)

  private static func place(of steps: ArraySlice<JSONPath.Step>, in value: PayloadValue) -> Place {
    switch value {
    case .object(let items), .array(let items): place(of: steps, among: items)
    case .nested(let body):
      steps.first == .inside ? deeper(place(of: steps.dropFirst(), in: body.value), nil) : (0, nil)
    case .choice(let choice): deepest(choice.bodies.map { place(of: steps, in: $0.value) })
    case .text, .scalar, .action, .given: (0, nil)
    }
  }

  private static func place(of steps: ArraySlice<JSONPath.Step>, among items: [Item]) -> Place {
    deepest(
      items.map { item in
        switch item {
        case .member(let key, let value, let offset) where steps.first == .member(key):
          deeper(place(of: steps.dropFirst(), in: value), offset)
        case .element(let value, let offset) where steps.first == .element:
          deeper(place(of: steps.dropFirst(), in: value), offset)
        case .choice(let choice): deepest(choice.bodies.map { place(of: steps, among: $0) })
        case .loop(let loop):
          deepest(([loop.body] + (loop.otherwise.map { [$0] } ?? [])).map { place(of: steps, among: $0) })
        case .comma, .set, .member, .element: (0, nil)
        }
      })
  }

  private static func deeper(_ place: Place, _ offset: Int?) -> Place { (place.found + 1, place.offset ?? offset) }

  private static func deepest(_ places: [Place]) -> Place { places.max { $0.found < $1.found } ?? (0, nil) }
}

extension Choice {
  fileprivate var bodies: [Body] { arms.map(\.body) + (otherwise.map { [$0] } ?? []) }
}
