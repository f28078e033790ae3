internal import Base

extension Content {
  /// A button under the message; label and link are T.
  public struct Button: Sendable, Equatable {
    public var label: String
    public var link: String
    public var id: String?
    public var icon: String?

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
