internal import Base
public import Campaign

/// Compiled template, bound to one launch and one channel: rows in, payload bytes out. Immutable, so all cores
/// render with one.
public final class PageRenderer: Sendable {
  /// Columns that the content's texts name.
  public let columns: PersonalColumns
  /// Nothing but the token differs from message to message (group tracking, no personal text).
  public let isShared: Bool

  private let program: Program
  private let personalTexts: [PersonalText]
  private let needsAttributes: Bool
  private let hasPersonalTexts: Bool
  private let links: HubLinks?
  private let isBlankAllowed: Bool
  private let listsTokens: Bool
  private let identity: MessageIdentity

  /// Compiles.
  /// - Parameters:
  ///   - providerTitle: `.Provider`: the words by which payloads name the provider.
  ///   - links: encrypts the tracking links; nil without a hub URL.
  ///   - group: number of the payload group in this launch under `tracking = "group"`.
  /// - Throws: `TemplateError` with line and column when the template can't yield valid JSON.
  public init(
    shape: PayloadShape, launch: Launch, channel: Channel, platform: Platform, providerTitle: String,
    links: HubLinks?, group: Int64
  ) throws(TemplateError) {
    let source = SourceText(name: shape.template.name, bytes: shape.template.text)
    let payload = try PayloadParser.parse(Parser.parse(source, root: Variable.schema))
    try Rehearsal.check(payload)
    let data = CustomData(launch.content, platform: platform)
    let values = try PayloadValues(
      launch: launch, channel: channel, providerTitle: providerTitle, data: data.object, hasLinks: links != nil)
    try Rehearsal.check(payload, values: values)
    program = try Binder.bind(payload, shape: shape, data: data, values: values)
    personalTexts = values.personalTexts
    self.links = program.hasLinks ? links : nil
    isBlankAllowed = launch.options.missing == .blank
    listsTokens = shape.listsTokens
    identity = MessageIdentity(launch: launch, channel: channel, group: group)
    isShared = !program.isPersonal(isGroup: identity.isGroup)
    let used = program.personalTexts.map { values.personalTexts[$0] }
    hasPersonalTexts = !used.isEmpty
    columns = used.reduce(into: []) { $0.formUnion($1.columns) }
    needsAttributes = used.contains(where: \.needsAttributes)
  }

  /// The message's id from its key alone, the same on every attempt.
  public func uid(of key: RecipientKey) -> String {
    var uid: [UInt8] = []
    identity.append(key, to: &uid)
    return String(decoding: uid, as: UTF8.self)
  }

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
    var writer = MessageWriter(
      program, personalTexts: personalTexts, links: session, isBlankAllowed: isBlankAllowed)
    slice.messages.reserveCapacity(input.messages.count)
    slice.landmarks.reserveCapacity(input.messages.count * program.landmarks)
    var uid: [UInt8] = []
    var uidRange: ByteRange?
    var shared: ByteRange?
    for (index, message) in input.messages.enumerated() {
      let row = input.page.rows[message.row]
      if uidRange == nil || !identity.isGroup {
        uid.removeAll(keepingCapacity: true)
        identity.append(row.key, to: &uid)
      }
      do {
        let body: ByteRange
        if let shared, isShared, listsTokens {
          body = shared
        } else {
          let recipient =
            hasPersonalTexts
            ? try PersonalValues(
              row, of: input.page, attributes: needsAttributes, variables: columns.contains(.variables)) : nil
          body = try writer.payload(
            MessageContext(tokens: input.tokens, token: message.token.range, uid: uid, recipient: recipient))
          // The first payload tells how much the others need.
          if slice.messages.isEmpty { writer.reserve((body.count + 96) * input.messages.count) }
        }
        shared = body
        if uidRange == nil || !identity.isGroup { uidRange = writer.append(uid) }
        slice.messages.append(
          RenderedSlice.Message(input: index, body: body, uid: uidRange ?? ByteRange(lower: 0, upper: 0)))
        slice.landmarks.append(contentsOf: writer.landmarks)
      } catch {
        slice.rejections.append(
          RenderedSlice.Rejection(input: index, reason: error.reason, detail: error.detail))
      }
    }
    slice.bytes = writer.arena
    return slice
  }
}
