internal import Base

extension Content {
  /// The content as channels for Apple's devices get it: what `apple_push` says wins over the common content. Its alert
  /// is one thing: a common title doesn't join the body of another.
  public var forApple: Content {
    var content = self
    for index in content.editions.indices {
      content.editions[index].content = content.editions[index].content.forApple
    }
    guard let push = applePush else { return content }
    (content.title, content.subtitle, content.body) = (push.title, nil, push.body)
    content.localization = push.localization
    if let badge = push.badge { content.badge = badge }
    // Braze plays a sound only where one is named.
    content.sound = push.sound.map { .string($0) } ?? sound ?? .string("")
    if let extra = push.extra {
      var data = content.platformData[.ios] ?? JSONObject()
      for member in extra.members { data.set(member.key, member.value) }
      content.platformData[.ios] = data
    }
    if let level = push.interruptionLevel { content.interruptionLevel = level }
    if let score = push.relevanceScore { content.relevanceScore = score }
    if let uri = push.customURI { (content.clickURL, content.deepLink) = (uri, nil) }
    if let thread = push.threadID { content.threadID = thread }
    if let asset = push.assetURL { (content.media, content.image) = (asset, asset) }
    if let collapseID = push.collapseID { content.collapseID = collapseID }
    if let category = push.category { content.category = category }
    let isShown = push.body != nil || push.title != nil || push.localization != nil
    content.silent = silent || (push.isContentAvailable && !isShown)
    content.isContentAvailable = push.isContentAvailable
    content.isMutableContent = push.isMutableContent || push.assetURL != nil
    return content
  }
}

extension Launch {
  /// The launch as a channel of that platform sends it.
  public func prepared(for platform: Platform) -> Launch {
    guard platform == .ios else { return self }
    var launch = self
    launch.content = content.forApple
    if let expiry = content.applePush?.expiry {
      launch.notAfter = min(notAfter ?? expiry, expiry)
      let left = expiry.value - (liveFrom ?? .now).value
      // Whatever is left: a message that is too late isn't sent at all.
      launch.content.ttlMilliseconds = min(max(left, 1000), Content.longestTimeToLive)
    }
    return launch
  }
}
