internal import Base
internal import Campaign

/// The values of the variables in one launch at one channel.
struct PayloadValues: RootValues, Sendable {
  private var values: [String: Value] = [:]
  /// Those of the content's texts that name the recipient.
  private(set) var personalTexts: [PersonalText] = []

  /// Values chosen to rehearse a template.
  init(_ values: [String: Value]) { self.values = values }

  /// - Parameters:
  ///   - data: custom data, common and platform's own merged.
  ///   - hasLinks: whether there is a hub that tracking links lead to.
  init(
    launch: Launch, channel: Channel, providerTitle: String, data: JSONObject, hasLinks: Bool
  ) throws(TemplateError) {
    let content = launch.content
    for variable in Variable.allCases {
      values[variable.rawValue] = try value(
        of: variable, content, launch, channel, providerTitle: providerTitle, data: data, hasLinks: hasLinks)
    }
  }

  /// With every text that a message adds set to `text`.
  func settled(_ text: String) -> PayloadValues { PayloadValues(values.mapValues { $0.settled(text) }) }

  func value(of names: [String]) -> Value {
    guard let first = names.first, let value = values[first] else { return .null }
    return value.member(names.dropFirst())
  }

  private mutating func value(
    of variable: Variable, _ content: Content, _ launch: Launch, _ channel: Channel, providerTitle: String,
    data: JSONObject, hasLinks: Bool
  ) throws(TemplateError) -> Value {
    switch variable {
    case .subscriptionID: .dynamic(.token)
    case .uid: .dynamic(.uid)
    case .launchID:
      .string(
        LaunchTag.text(
          account: launch.account.id, campaign: launch.campaignID, milliseconds: launch.startMilliseconds))
    case .provider: .string(providerTitle)
    case .urlOpenEvent: hasLinks ? .dynamic(.openLink) : .string("")
    case .urlDelivEvent: hasLinks ? .dynamic(.ackLink) : .string("")
    case .title: try text(content.title, "title")
    case .subTitle: try text(content.subtitle, "subtitle")
    case .body, .text: try text(content.body, "body")
    case .priority: .string(content.isUrgent ? "HIGH" : "NORMAL")
    case .ttl: launch.timeToLive(at: channel).map { .timeToLive($0) } ?? .null
    case .ttlSeconds, .expiration: .number(launch.timeToLive(at: channel)?.seconds)
    case .expiresAt: .number(launch.timeToLive(at: channel)?.expiresAt)
    case .icon: try text(content.icon, "icon")
    case .image: try text(content.image, "image")
    case .banner: try text(content.banner, "banner", or: (content.image, "image"))
    case .media: try text(content.media, "media", or: (content.image, "image"))
    case .clickURL: try text(content.deepLink, "deep_link", or: (content.clickURL, "click_url"))
    case .url: Self.only(http: true, try text(content.clickURL, "click_url"))
    case .deeplink:
      content.deepLink.isSet
        ? try text(content.deepLink, "deep_link") : Self.only(http: false, try text(content.clickURL, "click_url"))
    case .imageBackgroundColor: .string(content.imageBackgroundColor ?? "")
    case .iconBackground: .string(content.iconBackground ?? "")
    case .ledColor: .string(content.ledColor ?? "")
    case .vibration: .data(.bool(content.vibration))
    case .soundless: .data(.bool(content.soundless))
    case .sound: content.soundless ? .string("") : .data(content.sound ?? .string("default"))
    case .silent: .data(.bool(content.silent))
    case .badge: .number(content.badge.map { Int64($0) })
    case .actions: try buttons(content.buttons)
    case .groupID: .number(channel.settings.groupID)
    case .tag: .string(launch.options.tag ?? "campaign-\(launch.campaignID)")
    case .data: data.isEmpty ? .null : .data(.object(data))
    case .collapseID: .optional(content.collapseID)
    case .threadID: .optional(content.threadID)
    case .category: .optional(content.category)
    case .channelID: .optional(content.channelID)
    case .interruptionLevel: .optional(content.interruptionLevel?.rawValue)
    case .relevanceScore: .data(content.relevanceScore ?? .null)
    case .localization: try localization(content.localization)
    case .notification: .data(.bool(content.hasNotification))
    case .payload:
      if case .string(let words)? = content.payload {
        try text(words, "payload")
      } else {
        .data(content.payload ?? .null)
      }
    case .uniqueKey: content.uniqueKey.isSet ? try text(content.uniqueKey, "unique_key") : .dynamic(.uid)
    case .contentAvailable: .flag(content.isContentAvailable)
    case .mutableContent: .flag(content.isMutableContent)
    case .analyticsLabel: .optional(launch.options.analyticsLabel)
    case .campaignName: .string(launch.campaignName)
    case .startedAt: .string(EpochMilliseconds(launch.startMilliseconds).rfc3339)
    }
  }

  private mutating func buttons(_ buttons: [Content.Button]) throws(TemplateError) -> Value {
    var list: [Value] = []
    for (index, button) in buttons.enumerated() {
      let label = try text(button.label, "buttons[\(index)].label")
      let link = try text(button.link, "buttons[\(index)].link")
      list.append(
        .record([
          "Label": label, "Title": label, "Link": link, "URL": link, "ID": .optional(button.id),
          "Icon": .string(button.icon ?? ""),
        ]))
    }
    return .list(list)
  }

  /// `loc`, with null for what it doesn't have.
  private mutating func localization(_ localization: Localization?) throws(TemplateError) -> Value {
    let localization = localization ?? Localization()
    return .record([
      "title_loc_key": .optional(localization.titleKey),
      "title_loc_args": try arguments(localization.titleArguments, "loc.title_loc_args"),
      "loc_key": .optional(localization.bodyKey),
      "loc_args": try arguments(localization.bodyArguments, "loc.loc_args"),
      "action_loc_key": .optional(localization.actionKey),
    ])
  }

  private mutating func arguments(_ arguments: [String], _ field: String) throws(TemplateError) -> Value {
    if arguments.isEmpty { return .null }
    var list: [Value] = []
    for (index, argument) in arguments.enumerated() { list.append(try text(argument, "\(field)[\(index)]")) }
    return .list(list)
  }

  /// A content text that lies in a block of its own.
  /// - Parameter field: its whole name, `content.fcm.android.notification.title`.
  mutating func content(_ text: String, _ field: String) throws(TemplateError) -> Value {
    try self.text(text, field.hasPrefix("content.") ? String(field.dropFirst(8)) : field)
  }

  /// One of the content's texts; `""` when it is not given.
  private mutating func text(_ text: String?, _ field: String) throws(TemplateError) -> Value {
    guard let text, !text.isEmpty else { return .string("") }
    let source = "content.\(field)"
    if let index = personalTexts.firstIndex(where: { $0.name == source }) { return .dynamic(.text(index)) }
    let parsed = try PersonalText(name: source, text: text)
    if let constant = parsed.constant { return .string(constant) }
    personalTexts.append(parsed)
    return .dynamic(.text(personalTexts.count - 1))
  }

  private mutating func text(
    _ text: String?, _ field: String, or other: (text: String?, field: String)
  ) throws(TemplateError) -> Value {
    text.isSet ? try self.text(text, field) : try self.text(other.text, other.field)
  }

  /// The URL if its scheme is http or https (or if it is none of the two), else `""`.
  private static func only(http wanted: Bool, _ value: Value) -> Value {
    switch value {
    case .data(.string(let text)): .string(isHTTP(text.utf8) == wanted ? text : "")
    case .dynamic(let dynamic): .dynamic(.onlyHTTP(dynamic, wanted))
    default: value
    }
  }

  /// Schemes are case-insensitive (RFC 3986 §3.1).
  static func isHTTP(_ url: some Collection<UInt8>) -> Bool {
    let begin = url.prefix(8).map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
    return begin.starts(with: "http://".utf8) || begin.elementsEqual("https://".utf8)
  }
}

extension Launch {
  /// When it was first planned; before that (a preview) now.
  var startMilliseconds: Int64 { (startedAt ?? .now).value }

  func timeToLive(at channel: Channel) -> TimeToLive? {
    guard let milliseconds = content.timeToLive(channel: channel.settings, account: account.settings) else {
      return nil
    }
    return TimeToLive(
      milliseconds: milliseconds, startedAt: (liveFrom ?? .now).value, notAfter: notAfter?.value,
      isWholeSeconds: channel.provider.hasSuffix("-hms"))
  }
}

extension Value {
  /// Token, id and links are never empty.
  fileprivate func settled(_ text: String) -> Value {
    switch self {
    case .dynamic(let dynamic): .data(.string(dynamic.isTrue == true ? "sample" : text))
    case .list(let elements): .list(elements.map { $0.settled(text) })
    case .record(let members): .record(members.mapValues { $0.settled(text) })
    case .data, .timeToLive, .encoded: self
    }
  }

  fileprivate static func string(_ text: String) -> Value { .data(.string(text)) }
  fileprivate static func optional(_ text: String?) -> Value { .data(text.map { .string($0) } ?? .null) }
  /// 1 as Apple writes yes; nothing for no.
  fileprivate static func flag(_ flag: Bool) -> Value { flag ? .data(.number("1")) : .null }
  fileprivate static func number(_ number: Int64?) -> Value { .data(number.map { .number(String($0)) } ?? .null) }
}

extension String? {
  fileprivate var isSet: Bool { !(self ?? "").isEmpty }
}
