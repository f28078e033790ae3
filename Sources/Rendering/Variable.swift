/// The names that a payload template may use.
enum Variable: String, CaseIterable {
  case subscriptionID = "SubscriptionID"
  case uid = "UID"
  case launchID = "LaunchID"
  case provider = "Provider"
  case urlOpenEvent = "URLOpenEvent"
  case urlDelivEvent = "URLDelivEvent"
  case title = "Title"
  case subTitle = "SubTitle"
  case body = "Body"
  case text = "Text"
  case priority = "Priority"
  case ttl = "TTL"
  case ttlSeconds = "TTLSeconds"
  case expiresAt = "ExpiresAt"
  case expiration = "Expiration"
  case icon = "Icon"
  case image = "Image"
  case banner = "Banner"
  case media = "Media"
  case clickURL = "ClickURL"
  case url = "URL"
  case deeplink = "Deeplink"
  case imageBackgroundColor = "ImageBackgroundColor"
  case iconBackground = "IconBackground"
  case ledColor = "LEDColor"
  case vibration = "Vibration"
  case soundless = "Soundless"
  case sound = "Sound"
  case silent = "Silent"
  case badge = "Badge"
  case actions = "Actions"
  case groupID = "GroupID"
  case tag = "Tag"
  case data = "Data"
  case collapseID = "collapse_id"
  case threadID = "thread_id"
  case category
  case channelID = "channel_id"
  case interruptionLevel = "interruption_level"
  case relevanceScore = "relevance_score"
  case localization = "loc"
  case notification
  case payload
  case uniqueKey = "unique_key"
  case contentAvailable = "content_available"
  case mutableContent = "mutable_content"
  case analyticsLabel = "analytics_label"
  case campaignName = "campaign_name"
  case startedAt = "started_at"

  private var schema: Schema {
    switch self {
    // A button's label and link go by the names of other senders' templates too.
    case .actions:
      .list(
        .record(
          title: "a button",
          ["Label": .value, "Link": .value, "ID": .value, "Icon": .value, "Title": .value, "URL": .value]))
    case .localization:
      .record(
        title: "localisation",
        [
          "title_loc_key": .value, "title_loc_args": .value, "loc_key": .value, "loc_args": .value,
          "action_loc_key": .value,
        ])
    case .sound, .data, .payload: .open
    default: .value
    }
  }

  /// What the parser checks names against.
  static let schema = Schema.record(
    title: "a payload",
    Dictionary(uniqueKeysWithValues: allCases.map { ($0.rawValue, $0.schema) }))
}
