/// Names places in a template's JSON: `message.android.data`, `push_batch_request.batch[]` (each element),
/// `…content.data{}` (the JSON inside a string), `aps.alert.*` (every member).
public struct JSONPath: Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
  /// From a value to one within it.
  public enum Step: Sendable, Hashable {
    case member(String)
    case anyMember
    case element
    /// From a string's text into the JSON it holds.
    case inside
  }

  /// From the whole text's value inwards.
  public let steps: [Step]
  /// As it was written.
  public let description: String

  /// A path written in the code.
  public init(stringLiteral text: String) { self.init(text) }

  /// Reads a path; the empty text is the whole value. Every text is some path, so nothing is refused.
  public init(_ text: String) {
    description = text
    var steps: [Step] = []
    for part in text.split(separator: ".") {
      var name = part
      var tail: [Step] = []
      while true {
        if name.hasSuffix("[]") {
          tail.insert(.element, at: 0)
          name = name.dropLast(2)
        } else if name.hasSuffix("{}") {
          tail.insert(.inside, at: 0)
          name = name.dropLast(2)
        } else {
          break
        }
      }
      if name == "*" { steps.append(.anyMember) } else if !name.isEmpty { steps.append(.member(String(name))) }
      steps += tail
    }
    self.steps = steps
  }

  /// The member of that name within; the name may hold points.
  public func adding(_ name: String) -> JSONPath {
    JSONPath(steps: steps + [.member(name)], description: description.isEmpty ? name : "\(description).\(name)")
  }

  private init(steps: [Step], description: String) {
    self.steps = steps
    self.description = description
  }

  /// Whether a place, given by the names and elements that lead to it, is one of those meant.
  func matches(_ place: [Step]) -> Bool {
    place.count == steps.count
      && zip(steps, place).allSatisfy { wanted, step in
        if case .member = step, wanted == .anyMember { true } else { wanted == step }
      }
  }
}
