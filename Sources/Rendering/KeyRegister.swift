/// The keys written into one object so far, each with the conditions under which it is there: strict parsers refuse
/// an object that has a key twice.
struct KeyRegister {
  /// A condition that only the message decides, and what it must come to.
  struct Guard: Equatable {
    let condition: Dynamic
    let isTrue: Bool

    /// `not x` is x the other way round, so that both exclude each other.
    init(_ condition: Dynamic, isTrue: Bool) {
      var (condition, isTrue) = (condition, isTrue)
      while case .call(.not, let operands) = condition, case .dynamic(let inner) = operands[0] {
        (condition, isTrue) = (inner, !isTrue)
      }
      self.condition = condition
      self.isTrue = isTrue
    }

    func excludes(_ other: Guard) -> Bool { isTrue != other.isTrue && condition == other.condition }
  }

  /// As bytes: `é` written two ways is two keys.
  private var keys: [[UInt8]: [[Guard]]] = [:]

  /// Whether the key may be there already where these conditions hold.
  func contains(_ key: String, where guards: [Guard]) -> Bool {
    (keys[Array(key.utf8)] ?? []).contains { known in
      !known.contains { guardOfKnown in guards.contains { guardOfKnown.excludes($0) } }
    }
  }

  mutating func insert(_ key: String, where guards: [Guard]) { keys[Array(key.utf8), default: []].append(guards) }
}
