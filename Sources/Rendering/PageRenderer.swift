internal import Base
public import Campaign

/// Compiled template, bound to one launch and one channel: rows in, payload bytes out. Immutable, so all cores
/// render with one. A launch with locales or variants has a program for each edition, and each recipient one of them.
public final class PageRenderer: Sendable {
  /// Columns that the content's texts name, or that choose the edition.
  public let columns: PersonalColumns
  /// Nothing but the token differs from message to message of an edition (group tracking, no personal text).
  public let isShared: Bool

  private let editions: [EditionProgram]
  /// What the notification centre shows of each edition; empty when the launch keeps none.
  private let inboxes: [EditionProgram]
  private let chooser: EditionChooser
  private let links: HubLinks?
  private let listsTokens: Bool
  private let keepsOrder: Bool
  private let identity: MessageIdentity
  private let landmarks: Int
  private let terms: EditionWriter.Terms

  /// Compiles.
  /// - Parameters:
  ///   - shapes: one for each of `launch.editions`.
  ///   - inbox: makes each message's row of the notification centre, one for each edition too; empty without one.
  ///   - providerTitle: `.Provider`: the words by which payloads name the provider.
  ///   - links: encrypts the tracking links; nil without a hub URL.
  ///   - group: number of the first payload group in this launch under `tracking = "group"`.
  /// - Throws: `TemplateError` with line and column when the template can't yield valid JSON.
  public init(
    shapes: [PayloadShape], inbox: [PayloadShape] = [], launch: Launch, channel: Channel, platform: Platform,
    providerTitle: String, links: HubLinks?, group: Int64
  ) throws(TemplateError) {
    func compile(_ shapes: [PayloadShape]) throws(TemplateError) -> [EditionProgram] {
      var editions: [EditionProgram] = []
      for (index, (shape, edition)) in zip(shapes, launch.editions).enumerated() {
        let locale = launch.content.editions.isEmpty ? nil : launch.content.editions[index].locale
        editions.append(
          try EditionProgram(
            shape: shape, launch: edition, locale: locale, channel: channel, platform: platform,
            providerTitle: providerTitle,
            hasLinks: links != nil))
      }
      return editions
    }
    let editions = try compile(shapes)
    let inboxes = try compile(inbox)
    self.editions = editions
    self.inboxes = inboxes
    chooser = EditionChooser(launch)
    self.links = editions.contains { $0.program.hasLinks } ? links : nil
    listsTokens = shapes.allSatisfy(\.listsTokens)
    keepsOrder = shapes.contains(where: \.keepsOrder)
    landmarks = shapes.first?.landmarks.count ?? 0
    let identity = MessageIdentity(launch: launch, channel: channel, group: group)
    self.identity = identity
    isShared = !(editions + inboxes).contains { $0.program.isPersonal(isGroup: identity.isGroup) }
    let columns = (editions + inboxes).reduce(into: PersonalColumns()) { $0.formUnion($1.columns) }
    self.columns = chooser.asksForLocale ? columns.union(.profile) : columns
    terms = EditionWriter.Terms(
      identity: identity, isBlankAllowed: launch.options.missing == .blank, isOnePayload: isShared && listsTokens,
      readsVariables: columns.contains(.variables), timeZone: launch.account.settings.timeZone)
  }

  /// Compiles a launch that has one edition.
  public convenience init(
    shape: PayloadShape, launch: Launch, channel: Channel, platform: Platform, providerTitle: String,
    links: HubLinks?, group: Int64
  ) throws(TemplateError) {
    try self.init(
      shapes: [shape], launch: launch, channel: channel, platform: platform, providerTitle: providerTitle,
      links: links, group: group)
  }

  /// The message's id from its key alone, the same on every attempt.
  public func uid(of key: RecipientKey) -> String {
    var uid: [UInt8] = []
    identity.append(key, to: &uid)
    return String(decoding: uid, as: UTF8.self)
  }

  /// What the results call a profile's variant; nil when everybody gets the same.
  public func variant(of profile: Int64) -> String? { chooser.variantName(of: profile) }

  /// Renders a slice. Thread-safe, allocates little.
  public func render(_ input: RenderInput) -> RenderedSlice {
    var slice = RenderedSlice()
    let session: HubLinks.Session?
    do {
      session = try links?.session()
    } catch {
      let detail = "tracking links can't be made: \(error)"
      slice.rejections = input.messages.indices.map {
        RenderedSlice.Rejection(input: $0, reason: "link", detail: detail)
      }
      return slice
    }
    slice.messages.reserveCapacity(input.messages.count)
    slice.landmarks.reserveCapacity(input.messages.count * landmarks)
    if editions.count == 1 {
      render(input, input.messages.indices, edition: { _ in 0 }, session, to: &slice)
      return slice
    }
    let chosen = chosenEditions(input)
    if isShared, listsTokens, !keepsOrder {
      // Equal payloads side by side fill the requests that carry many tokens.
      let order = input.messages.indices.sorted { (chosen[$0], $0) < (chosen[$1], $1) }
      render(input, order, edition: { chosen[$0] }, session, to: &slice)
    } else {
      render(input, input.messages.indices, edition: { chosen[$0] }, session, to: &slice)
    }
    return slice
  }

  private func chosenEditions(_ input: RenderInput) -> [Int] {
    // Thousands of recipients share a few locales.
    var locales: [ArraySlice<UInt8>: String] = [:]
    return input.messages.map { message in
      let row = input.page.rows[message.row]
      let locale = row.locale.map { range in
        let bytes = input.page.bytes[range.range]
        if let known = locales[bytes] { return known }
        let text = String(decoding: bytes, as: UTF8.self)
        locales[bytes] = text
        return text
      }
      return chooser.edition(profile: row.key.profileID, locale: locale)
    }
  }

  /// - Parameter order: indices of the input's messages.
  private func render(
    _ input: RenderInput, _ order: some Sequence<Int>, edition: (Int) -> Int, _ session: HubLinks.Session?,
    to slice: inout RenderedSlice
  ) {
    var arena: [UInt8] = []
    // Hundreds of editions may exist, a slice meets a few.
    var writers: [Int: Int] = [:]
    var known: [EditionWriter] = []
    for index in order {
      let number = edition(index)
      let at: Int
      if let place = editions.count == 1 && !known.isEmpty ? 0 : writers[number] {
        at = place
      } else {
        at = known.count
        writers[number] = at
        known.append(
          EditionWriter(
            editions[number], inbox: inboxes.isEmpty ? nil : inboxes[number], number: number, links: session,
            terms: terms))
      }
      do {
        let message = try known[at].message(index, of: input, to: &arena)
        // The first payload tells how much the others need.
        if slice.messages.isEmpty { arena.reserveCapacity((arena.count + 32) * input.messages.count) }
        slice.messages.append(message)
        slice.landmarks.append(contentsOf: known[at].landmarks)
      } catch {
        slice.rejections.append(
          RenderedSlice.Rejection(input: index, reason: error.reason, detail: error.detail))
      }
    }
    slice.bytes = arena
  }
}
