internal import Base
public import Campaign

/// The texts of a message, looked at before any launch carries them to a channel.
public enum ContentTexts {
  /// - Throws: `TemplateError` naming the first text that can't be read as a template, with line and column.
  public static func check(_ content: Content) throws(TemplateError) {
    try check(content, path: "content")
    for edition in content.editions {
      let variant = edition.variant.map { " in variant \(content.variants[$0].name)" } ?? ""
      let locale = edition.locale.map { " in locale \($0)" } ?? ""
      try check(edition.content, path: "content", suffix: variant + locale)
    }
  }

  private static func check(_ content: Content, path: String, suffix: String = "") throws(TemplateError) {
    var texts: [(name: String, text: String?)] = [
      ("title", content.title), ("subtitle", content.subtitle), ("body", content.body), ("icon", content.icon),
      ("image", content.image), ("media", content.media), ("banner", content.banner),
      ("click_url", content.clickURL), ("deep_link", content.deepLink), ("unique_key", content.uniqueKey),
    ]
    for (index, button) in content.buttons.enumerated() {
      texts.append(("buttons[\(index)].label", button.label))
      texts.append(("buttons[\(index)].link", button.link))
    }
    texts += arguments(of: content.localization, "loc")
    if let push = content.applePush {
      texts += [
        ("apple_push.alert.title", push.title), ("apple_push.alert.body", push.body),
        ("apple_push.custom_uri", push.customURI), ("apple_push.asset_url", push.assetURL),
      ]
      texts += arguments(of: push.localization, "apple_push.alert")
      for (index, button) in push.buttons.enumerated() {
        texts.append(("apple_push.buttons[\(index)].uri", button.uri))
      }
    }
    for (key, block) in [("payload", content.payload), ("fcm", content.firebase.map { .object($0) })] {
      if let block { gather(block, key, &texts) }
    }
    for (name, text) in texts {
      if let text { _ = try PersonalText(name: "\(path).\(name)\(suffix)", text: text) }
    }
  }

  private static func arguments(of localization: Localization?, _ path: String) -> [(name: String, text: String?)] {
    let title = localization?.titleArguments ?? []
    let body = localization?.bodyArguments ?? []
    return title.enumerated().map { ("\(path).title_loc_args[\($0.offset)]", $0.element) }
      + body.enumerated().map { ("\(path).loc_args[\($0.offset)]", $0.element) }
  }

  /// Every text of a block, with the way to it.
  private static func gather(_ value: JSON, _ path: String, _ texts: inout [(name: String, text: String?)]) {
    switch value {
    case .string(let text): texts.append((path, text))
    case .array(let elements):
      for (index, element) in elements.enumerated() { gather(element, "\(path)[\(index)]", &texts) }
    case .object(let object): for member in object.members { gather(member.value, "\(path).\(member.key)", &texts) }
    case .null, .bool, .number: return
    }
  }
}
