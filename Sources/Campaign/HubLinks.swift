internal import Base
public import Signing

/// Makes and reads the tracking links of one account or channel.
///
/// A link is the hub's URL, `/`, and base64url without padding of: one byte that names the key (`LinkKey.number`), 16
/// bytes of tag, and the AES-256-SIV encryption of one byte for the kind and the bytes of the message id's text. The
/// newest key encrypts, every key decrypts. The same message has the same link on every attempt.
public final class HubLinks: Sendable {
  /// What following the link tells the hub.
  public enum Kind: UInt8, Sendable, CaseIterable {
    /// The message was opened.
    case open = 1
    /// The message arrived.
    case ack = 2
  }

  /// What a link says.
  public struct Link: Sendable, Equatable {
    /// What following it says.
    public let kind: Kind
    /// The message id's text.
    public let uid: [UInt8]

    /// - Parameter uid: the message id's text, ASCII.
    public init(kind: Kind, uid: [UInt8]) {
      self.kind = kind
      self.uid = uid
    }
  }

  /// With one `/` at the end.
  private let prefix: [UInt8]
  private let newest: LinkKey
  private let keys: [LinkKey]
  // Contexts that nobody uses at the moment.
  private let idle: Guarded<[SIVCipher]>

  /// - Parameter keys: newest first, as in `account.settings.link_keys`.
  /// - Throws: `SigningError` when there is no key, or OpenSSL can't encrypt.
  public init(hubURL: String, keys: [LinkKey]) throws(SigningError) {
    guard let newest = keys.first else {
      throw SigningError("tracking links need a key: name one in account.settings.link_keys, or leave hub_url out")
    }
    prefix = Array(hubURL.utf8) + (hubURL.hasSuffix("/") ? [] : [UInt8(ascii: "/")])
    self.newest = newest
    self.keys = keys
    idle = Guarded([try SIVCipher(key: newest)])
  }

  /// Makes links for one slice of messages, on one thread at a time; returns its OpenSSL context when it goes.
  public final class Session {
    private let links: HubLinks
    private let cipher: SIVCipher
    private var text: [UInt8] = []
    private var segment: [UInt8] = []

    fileprivate init(_ links: HubLinks, _ cipher: SIVCipher) {
      self.links = links
      self.cipher = cipher
    }

    deinit {
      links.idle.withLock { [cipher] idle in idle.append(cipher) }
    }

    /// Appends a whole URL. Nothing in it needs escaping in JSON.
    /// - Parameter uid: the message id's text; not a slice of `out`, which would be copied.
    /// - Throws: `SigningError` when OpenSSL fails; nothing is appended then.
    public func append(_ kind: Kind, uid: ArraySlice<UInt8>, to out: inout [UInt8]) throws(SigningError) {
      text.removeAll(keepingCapacity: true)
      text.append(kind.rawValue)
      text.append(contentsOf: uid)
      segment.removeAll(keepingCapacity: true)
      segment.append(links.newest.number)
      try cipher.seal(text, to: &segment)
      out.append(contentsOf: links.prefix)
      Base64URL.append(segment, to: &out)
    }
  }

  /// A session of its own for every task that makes links. Take one a slice, not one a link.
  /// - Throws: `SigningError` when OpenSSL has no memory for another context.
  public func session() throws(SigningError) -> Session {
    if let cipher = idle.withLock({ $0.popLast() }) { return Session(self, cipher) }
    return Session(self, try SIVCipher(key: newest))
  }

  /// Reads a link: the last segment of its path counts, a query or fragment added on the way does not.
  /// - Throws: `CampaignError` that says whether it is no link, or of no known key.
  public func decode(_ url: String) throws(CampaignError) -> Link {
    let path = url.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
    let segment = path.suffix(from: path.lastIndex(of: UInt8(ascii: "/")).map(path.index(after:)) ?? path.startIndex)
    guard let bytes = Base64URL.decode(segment), bytes.count > SIVCipher.tagBytes + 1 else {
      throw CampaignError(field: "link", message: "the last part of its path is not one that Salvo makes")
    }
    let candidates = keys.filter { $0.number == bytes[0] }
    if candidates.isEmpty {
      throw CampaignError(field: "link", message: "none of the \(keys.count) keys given made it")
    }
    for key in candidates {
      guard let text = try? SIVCipher.open(bytes.dropFirst(), key: key) else { continue }
      guard let byte = text.first, let kind = Kind(rawValue: byte) else { continue }
      return Link(kind: kind, uid: Array(text.dropFirst()))
    }
    throw CampaignError(field: "link", message: "it was changed on the way, or another key made it")
  }
}
