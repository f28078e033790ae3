internal import Base

extension Content {
  /// A button under the message; label and link are T.
  public struct Button: Sendable, Equatable {
    /// What it shows, T.
    public var label: String
    /// Where it leads, T.
    public var link: String
    /// `.ID` in templates: what the app is told when it is pressed; nil = none given.
    public var id: String?
    /// `.Icon` in templates: its picture; nil = empty there.
    public var icon: String?

    /// The values as given; `label` and `link` are parsed by the renderer.
    public init(label: String, link: String, id: String? = nil, icon: String? = nil) {
      self.label = label
      self.link = link
      self.id = id
      self.icon = icon
    }
  }
}

extension Content.Button {
  init(json: JSON, path: String) throws(CampaignError) {
    let fields = try FieldReader(json, path: path, keys: ["label", "link", "id", "icon"])
    label = try fields.required("label", fields.text("label"))
    link = try fields.required("link", fields.text("link"))
    id = try fields.text("id")
    icon = try fields.text("icon")
  }
}
