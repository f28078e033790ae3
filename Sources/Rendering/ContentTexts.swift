public import Campaign

/// The texts of a message, looked at before any launch carries them to a channel.
public enum ContentTexts {
  /// - Throws: `TemplateError` naming the first text that can't be read as a template, with line and column.
  public static func check(_ content: Content) throws(TemplateError) {
    var texts: [(name: String, text: String?)] = [
      ("title", content.title), ("subtitle", content.subtitle), ("body", content.body), ("icon", content.icon),
      ("image", content.image), ("media", content.media), ("banner", content.banner),
      ("click_url", content.clickURL), ("deep_link", content.deepLink),
    ]
    for (index, button) in content.buttons.enumerated() {
      texts.append(("buttons[\(index)].label", button.label))
      texts.append(("buttons[\(index)].link", button.link))
    }
    for (name, text) in texts {
      if let text { _ = try PersonalText(name: "content.\(name)", text: text) }
    }
  }
}
