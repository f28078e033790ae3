public import Base

/// A template's text and where it came from, for messages.
public struct TemplateSource: Sendable {
  /// `android-firebase (altcraft)`, or `channel 7's own template`.
  public let name: String
  /// UTF-8, not compiled yet.
  public let text: [UInt8]

  /// - Parameter name: as messages are to call it.
  public init(name: String, text: [UInt8]) {
    self.name = name
    self.text = text
  }
}

/// How customers' own data is merged into a payload.
public struct CustomDataPlace: Sendable {
  /// How the customer's values are written.
  public enum Form: Sendable {
    /// Every value a string: numbers and booleans as their own digits, objects and arrays as compact JSON text.
    case strings
    /// The same JSON types as written.
    case native
  }

  /// The object whose members come after the customer's.
  public var path: JSONPath
  /// How the customer's values are written there.
  public var form: Form
  /// Names a customer may not use; a trailing `*` covers every name with that beginning.
  public var reserved: [String]

  /// - Parameter reserved: names a customer may not use; `name*` for all with that beginning.
  public init(path: JSONPath, form: Form, reserved: [String]) {
    self.path = path
    self.form = form
    self.reserved = reserved
  }
}

/// JSON that is laid over a template's value at one place: objects member by member, anything else in place of what was
/// there; null takes it away.
public struct PayloadOverlay: Sendable {
  /// Names and `inside` only.
  public var path: JSONPath
  /// What is laid there.
  public var json: JSON
  /// As messages name it, when its texts are content texts: `content.fcm`. Nil when they are texts as they are.
  public var field: String?
  /// The value is JSON in a string.
  public var isText: Bool

  /// The place, and what is laid there: texts as they are, unless `field` names them.
  public init(path: JSONPath, json: JSON, field: String? = nil, isText: Bool = false) {
    self.path = path
    self.json = json
    self.field = field
    self.isText = isText
  }
}

/// What a provider says of the payload of one channel.
public struct PayloadShape: Sendable {
  /// What is compiled.
  public var template: TemplateSource
  /// Values whose byte range a rendered message reports, in this order; a path may name a string, an object, an
  /// array, and the range covers its quotes or brackets.
  public var landmarks: [JSONPath]
  /// Members that go when their text is empty.
  public var dropEmpty: [JSONPath]
  /// Where the customer's own data goes; nil = nowhere.
  public var customData: CustomDataPlace?
  /// Laid over the template, one after the other.
  public var overlays: [PayloadOverlay]
  /// The adapter lists the tokens itself (HMS arrays, AppMetrica devices), so a payload that differs by nothing but
  /// the token may be rendered once.
  public var listsTokens: Bool
  /// Messages stay in the order of their rows also where equal payloads could travel side by side.
  public var keepsOrder: Bool

  /// A template alone is a shape: nothing is dropped, merged or laid over it, and each message is rendered.
  public init(
    template: TemplateSource, landmarks: [JSONPath] = [], dropEmpty: [JSONPath] = [],
    customData: CustomDataPlace? = nil, overlays: [PayloadOverlay] = [], listsTokens: Bool = false,
    keepsOrder: Bool = true
  ) {
    self.template = template
    self.landmarks = landmarks
    self.dropEmpty = dropEmpty
    self.customData = customData
    self.overlays = overlays
    self.listsTokens = listsTokens
    self.keepsOrder = keepsOrder
  }
}
