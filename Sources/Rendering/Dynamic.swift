internal import Base

/// A value that differs from message to message: what is to be computed for each.
indirect enum Dynamic: Sendable, Equatable {
  case token
  case uid
  case openLink
  case ackLink
  /// One of the content's personal texts.
  case text(Int)
  /// The text if it is an http or https URL (or is none, with false), else nothing.
  case onlyHTTP(Dynamic, Bool)
  /// A function of values of which one at least is dynamic.
  case call(Function, [Value])
  /// One of several values, tried in this order.
  case choose(Chooser, [Value])
  case member(Dynamic, [String])
  /// What a variable holds behind an `if` that only the message decides.
  case choice(Dynamic, Value, Value)

  /// Steps of one value at most. A variable that is made of itself again and again would double with each step.
  static let heaviest = 256

  /// Whether it is a text for every message, never a number and never null.
  var isText: Bool {
    switch self {
    case .token, .uid, .openLink, .ackLink, .text, .onlyHTTP: true
    case .call(let function, let operands):
      switch function {
      case .upper, .lower, .title, .truncate, .urlquery, .printf, .translit: operands.allSatisfy(\.isNeverNull)
      case .date, .number, .plural: false
      case .json, .toJson: operands.allSatisfy(\.isText)
      case .not, .eq, .ne, .lt, .le, .gt, .ge, .len, .index: false
      }
    case .choose(_, let operands): operands.allSatisfy(\.isText)
    case .member: false
    case .choice(_, let first, let second): first.isText && second.isText
    }
  }

  /// Whether it is something for every message.
  var isNeverNull: Bool {
    switch self {
    case .call(let function, _):
      switch function {
      case .not, .eq, .ne, .lt, .le, .gt, .ge, .len: true
      case .index: false
      default: isText
      }
    case .choose(.default, let operands): operands.last?.isNeverNull == true
    case .choose(_, let operands): operands.allSatisfy(\.isNeverNull)
    case .choice(_, let first, let second): first.isNeverNull && second.isNeverNull
    case .member: false
    default: true
    }
  }

  /// As `Value.isTrue`.
  var isTrue: Bool? {
    switch self {
    case .token, .uid, .openLink, .ackLink: true
    case .choose(.or, let operands): operands.last?.isTrue == true ? true : nil
    case .choose(.default, let operands): isText && operands.last?.isTrue == true ? true : nil
    case .text, .onlyHTTP, .call, .choose, .member, .choice: nil
    }
  }

  /// How many steps it takes.
  var weight: Int {
    switch self {
    case .token, .uid, .openLink, .ackLink, .text: 1
    case .onlyHTTP(let inner, _), .member(let inner, _): 1 + inner.weight
    case .call(_, let operands), .choose(_, let operands): operands.reduce(1) { $0 + $1.weight }
    case .choice(let condition, let first, let second): 1 + condition.weight + first.weight + second.weight
    }
  }

  /// This value and those it is made of.
  func visit(_ visit: (Dynamic) -> Void) {
    visit(self)
    switch self {
    case .token, .uid, .openLink, .ackLink, .text: return
    case .onlyHTTP(let inner, _), .member(let inner, _): inner.visit(visit)
    case .call(_, let operands), .choose(_, let operands): for operand in operands { operand.visit(visit) }
    case .choice(let condition, let first, let second):
      condition.visit(visit)
      first.visit(visit)
      second.visit(visit)
    }
  }

  /// Whether there is anything of the message in it but its token.
  var isPersonal: Bool {
    var isPersonal = false
    visit { part in
      switch part {
      case .uid, .openLink, .ackLink, .text: isPersonal = true
      case .token, .onlyHTTP, .call, .choose, .member, .choice: break
      }
    }
    return isPersonal
  }

  var personalTexts: Set<Int> {
    var texts: Set<Int> = []
    visit { if case .text(let index) = $0 { texts.insert(index) } }
    return texts
  }

  var hasLink: Bool {
    var hasLink = false
    visit { if $0 == .openLink || $0 == .ackLink { hasLink = true } }
    return hasLink
  }

  /// With every time to live as it is written in the member `name`.
  func placed(in name: String?) -> Dynamic {
    switch self {
    case .choose(let chooser, let operands): .choose(chooser, operands.map { $0.placed(in: name) })
    case .choice(let condition, let first, let second):
      .choice(condition, first.placed(in: name), second.placed(in: name))
    default: self
    }
  }
}

extension Value {
  /// What the message is left to compute of it.
  var open: Dynamic? {
    switch self {
    case .dynamic(let dynamic): dynamic
    case .encoded(let inner): inner.open
    case .data, .list, .record, .timeToLive: nil
    }
  }

  /// What decides whether a value that `isOpen` is true.
  var decision: Dynamic { if case .dynamic(let dynamic) = self { dynamic } else { .call(.json, [self]) } }

  var isText: Bool {
    switch self {
    case .data(.string): true
    case .dynamic(let dynamic): dynamic.isText
    case .data, .list, .record, .timeToLive, .encoded: false
    }
  }

  var isNeverNull: Bool {
    switch self {
    case .dynamic(let dynamic): dynamic.isNeverNull
    case .encoded(let inner): inner.isNeverNull
    case .data, .list, .record, .timeToLive: !isNull
    }
  }

  fileprivate var weight: Int {
    switch self {
    case .dynamic(let dynamic): dynamic.weight
    case .encoded(let inner): inner.weight
    case .list(let elements): elements.reduce(1) { $0 + $1.weight }
    case .record(let members): members.values.reduce(1) { $0 + $1.weight }
    case .data, .timeToLive: 1
    }
  }

  fileprivate func visit(_ visit: (Dynamic) -> Void) {
    switch self {
    case .dynamic(let dynamic): dynamic.visit(visit)
    case .encoded(let inner): inner.visit(visit)
    case .list(let elements): for element in elements { element.visit(visit) }
    case .record(let members): for member in members.values { member.visit(visit) }
    case .data, .timeToLive: return
    }
  }

  fileprivate func placed(in name: String?) -> Value {
    switch self {
    case .timeToLive(let time):
      .data(time.isText(in: name) ? .string(time.text(in: name)) : .number(time.text(in: name)))
    case .dynamic(let dynamic): .dynamic(dynamic.placed(in: name))
    case .data, .list, .record, .encoded: self
    }
  }
}
