/// A payload template read as JSON with holes: what stands where, so that every value is escaped for its place and
/// no branch can leave half a value behind.
struct Payload: Sendable {
  let template: Template
  /// An object or an array.
  var root: ValueBody

  /// Whether the template names a variable anywhere.
  func uses(_ variable: Variable) -> Bool {
    var isUsed = false
    template.nodes.visitExpressions { expression in
      if case .path(.root, let names, _) = expression, names.first == variable.rawValue { isUsed = true }
    }
    return isUsed
  }
}

/// A value, and the variables set before and behind it.
struct ValueBody: Sendable {
  var before: [Assignment] = []
  var value: PayloadValue
  var after: [Assignment] = []
}

/// One value of a payload.
indirect enum PayloadValue: Sendable {
  case object([Item])
  case array([Item])
  /// A string: text and actions.
  case text([Node])
  /// A string whose text is JSON itself.
  case nested(ValueBody)
  /// A number, true, false or null, as written.
  case scalar([UInt8])
  /// An action that is a whole value by itself, bare or between quotes.
  case action(Expression, isQuoted: Bool)
  /// What an overlay gives: the launch's own, or a text with something of the recipient in it.
  case given(Value)
  /// One of several values; one arm always applies.
  case choice(Choice<ValueBody>)
}

/// A piece between brackets. Commas are kept only to be checked: the right ones are written by themselves.
indirect enum Item: Sendable {
  case comma(Int)
  case member(key: String, PayloadValue, offset: Int)
  case element(PayloadValue, offset: Int)
  case set(Assignment)
  case choice(Choice<[Item]>)
  case loop(Loop<[Item]>)
}

extension [Item] {
  /// The keys that these members may write, as bytes.
  var keys: Set<[UInt8]> {
    var keys: Set<[UInt8]> = []
    for item in self {
      switch item {
      case .member(let key, _, _): keys.insert([UInt8](key.utf8))
      case .choice(let choice):
        for arm in choice.arms { keys.formUnion(arm.body.keys) }
        keys.formUnion(choice.otherwise?.keys ?? [])
      case .loop(let loop): keys.formUnion(loop.body.keys.union(loop.otherwise?.keys ?? []))
      case .comma, .element, .set: continue
      }
    }
    return keys
  }
}
