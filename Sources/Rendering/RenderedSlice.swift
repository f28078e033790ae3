public import Base
public import Campaign

/// A slice of a page to render: which rows, each with its token as the provider takes it.
public struct RenderInput: Sendable {
  /// A row and its token.
  public struct Message: Sendable {
    /// Index into `page.rows`.
    public var row: Int
    /// Range of `tokens`.
    public var token: ByteRange

    /// - Parameters:
    ///   - row: index into `page.rows`.
    ///   - token: range of `tokens`.
    public init(row: Int, token: ByteRange) {
      self.row = row
      self.token = token
    }
  }

  /// The rows' values.
  public var page: RecipientPage
  /// Every token as the provider takes it, one after the other.
  public var tokens: [UInt8]
  /// In the order of their rows.
  public var messages: [Message]

  /// Every message's row lies in `page`, its token in `tokens`.
  public init(page: RecipientPage, tokens: [UInt8], messages: [Message]) {
    self.page = page
    self.tokens = tokens
    self.messages = messages
  }
}

/// The payloads of a slice over one arena.
public struct RenderedSlice: Sendable {
  /// A rendered message; its ranges lie in `bytes`.
  public struct Message: Sendable {
    /// Index into the input's messages.
    public var input: Int
    /// The payload; with a shared one every message names the same range.
    public var body: ByteRange
    /// The message's id (`_uid`), 70 characters at most.
    public var uid: ByteRange
    /// What the app's notification centre shows, JSON; nil when the launch keeps none.
    public var inbox: ByteRange?

    /// - Parameter input: index into the input's messages; the ranges lie in the slice's `bytes`.
    public init(input: Int, body: ByteRange, uid: ByteRange, inbox: ByteRange? = nil) {
      self.input = input
      self.body = body
      self.uid = uid
      self.inbox = inbox
    }
  }

  /// A message that can't be rendered: it ends as `rejected`, and the token stays.
  public struct Rejection: Sendable {
    /// Index into the input's messages.
    public var input: Int
    /// `missing_value`, …
    public var reason: String
    /// For people: which value of which text.
    public var detail: String

    /// - Parameter detail: for people: which value of which text.
    public init(input: Int, reason: String, detail: String) {
      self.input = input
      self.reason = reason
      self.detail = detail
    }
  }

  /// Every payload, id and inbox row, one after the other.
  public var bytes: [UInt8]
  /// Those that were rendered, in the input's order.
  public var messages: [Message]
  /// `landmarks.count` ranges a message, in the shape's order; empty range where the value is not there.
  public var landmarks: [ByteRange]
  /// Those that can't be rendered.
  public var rejections: [Rejection]

  /// Nothing rendered, unless it says otherwise.
  public init(
    bytes: [UInt8] = [], messages: [Message] = [], landmarks: [ByteRange] = [], rejections: [Rejection] = []
  ) {
    self.bytes = bytes
    self.messages = messages
    self.landmarks = landmarks
    self.rejections = rejections
  }
}
