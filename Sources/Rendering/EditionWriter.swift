internal import Base
internal import Campaign

/// Writes one edition's messages of a slice, each with its id and its row of the notification centre.
struct EditionWriter {
  /// What is the same for all messages of a renderer.
  struct Terms: Sendable {
    let identity: MessageIdentity
    let isBlankAllowed: Bool
    /// One payload serves all messages of an edition.
    let isOnePayload: Bool
    let readsVariables: Bool
    /// The account's, for profiles that name none.
    let timeZone: String
  }

  private let terms: Terms
  private let edition: EditionProgram
  private let number: Int
  private let isPersonal: Bool
  private let needsAttributes: Bool
  private var writer: MessageWriter
  private var inboxWriter: MessageWriter?
  private var uid: [UInt8] = []
  /// What all messages share.
  private var uidRange: ByteRange?
  private var body: ByteRange?
  private var inbox: ByteRange?

  /// - Parameter number: of the edition.
  init(_ edition: EditionProgram, inbox: EditionProgram?, number: Int, links: HubLinks.Session?, terms: Terms) {
    self.edition = edition
    self.number = number
    self.terms = terms
    isPersonal = edition.hasPersonalTexts || inbox?.hasPersonalTexts == true
    needsAttributes = edition.needsAttributes || inbox?.needsAttributes == true
    writer = MessageWriter(
      edition.program, personalTexts: edition.personalTexts, links: links, isBlankAllowed: terms.isBlankAllowed)
    inboxWriter = inbox.map {
      MessageWriter($0.program, personalTexts: $0.personalTexts, links: links, isBlankAllowed: terms.isBlankAllowed)
    }
  }

  /// The last message's values of the shape's landmarks.
  var landmarks: [ByteRange] { writer.landmarks }

  /// Appends the message of one of the input's rows.
  mutating func message(
    _ index: Int, of input: RenderInput, to arena: inout [UInt8]
  ) throws(PersonalFailure) -> RenderedSlice.Message {
    let message = input.messages[index]
    let row = input.page.rows[message.row]
    let isGroup = terms.identity.isGroup
    if uidRange == nil || !isGroup {
      uid.removeAll(keepingCapacity: true)
      terms.identity.append(row.key, edition: number, to: &uid)
    }
    let written: ByteRange
    if let body, terms.isOnePayload {
      written = body
    } else {
      let recipient =
        isPersonal
        ? try PersonalValues(
          row, of: input.page, attributes: needsAttributes, variables: terms.readsVariables, timeZone: terms.timeZone,
          locale: edition.locale) : nil
      let context = MessageContext(tokens: input.tokens, token: message.token.range, uid: uid, recipient: recipient)
      written = try writer.payload(context, to: &arena)
      inbox = try inboxWriter?.payload(context, to: &arena)
      body = written
    }
    if uidRange == nil || !isGroup {
      uidRange = ByteRange(lower: arena.count, upper: arena.count + uid.count)
      arena.append(contentsOf: uid)
    }
    return RenderedSlice.Message(input: index, body: written, uid: uidRange ?? written, inbox: inbox)
  }
}
