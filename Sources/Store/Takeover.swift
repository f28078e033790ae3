public import Campaign

/// What whoever takes a chunk must know of its lane, should a vanished runner have left a window open in it.
public struct Takeover: Sendable {
  /// The provider can be asked by the window's id (AppMetrica): the window is accepted, not in doubt.
  public var settlesLater: Bool
  /// A message's id from its key.
  public var uid: @Sendable (RecipientKey) -> String?

  /// Without arguments: what a lane leaves that can't be asked, its messages without ids.
  public init(settlesLater: Bool = false, uid: @escaping @Sendable (RecipientKey) -> String? = { _ in nil }) {
    self.settlesLater = settlesLater
    self.uid = uid
  }
}

/// What a vanished runner left open in a chunk that was taken over.
public struct LeftBehind: Sendable, Equatable {
  /// Who held it.
  public var owner: String
  /// Messages that nobody knows whether they were sent: `unknown` from now on.
  public var unknown = 0
  /// Messages that the provider is asked about.
  public var awaited = 0

  /// Counts of messages.
  public init(owner: String, unknown: Int = 0, awaited: Int = 0) {
    self.owner = owner
    self.unknown = unknown
    self.awaited = awaited
  }
}
