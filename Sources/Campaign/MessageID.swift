internal import Base

/// The id of one message (`_uid`, SendMessageID): who it went to, in a form that an app sends back.
///
/// A letter, then base58 of: the numbers as varints (LEB128: seven bits a byte, the least first, the high bit says
/// more follow) in the order account, campaign, resource, channel, profile, subscription, time, and for `U` the group;
/// then the CRC-32C of the letter and these, four bytes, big endian. 70 characters at most while account, campaign,
/// resource and channel are below 2³⁵, whatever the other two are; never more than 116.
public struct MessageID: Sendable, Equatable {
  /// The letter it begins with.
  public enum Kind: UInt8, Sendable, CaseIterable {
    /// `T`: one message to one subscription.
    case full = 0x54
    /// `U`: one payload to a group of subscriptions; profile and subscription are 0.
    case unique = 0x55
    /// `E`: an e-mail; Salvo only reads it.
    case email = 0x45
  }

  /// What it names.
  public let kind: Kind
  /// The account's id.
  public let account: Int64
  /// The campaign's id.
  public let campaign: Int64
  /// The platform's number of the app.
  public let resource: Int64
  /// The channel's id.
  public let channel: Int64
  /// The profile's id.
  public let profile: Int64
  /// The subscription's id.
  public let subscription: Int64
  /// The launch's start, since 1970.
  public let milliseconds: Int64
  /// Number of the payload within the launch; 0 unless the kind is `unique`.
  public let group: Int64

  /// Appends an id's text. Any number goes: what is negative, which no id is, takes ten bytes.
  /// - Parameter group: only kept in a `unique` id.
  public static func append(
    kind: Kind, account: Int64, campaign: Int64, resource: Int64, channel: Int64, profile: Int64,
    subscription: Int64, milliseconds: Int64, group: Int64 = 0, to out: inout [UInt8]
  ) {
    var bytes = InlineArray<88, UInt8>(repeating: 0)
    // The letter goes before the numbers so that the checksum covers it, and is written apart.
    bytes[0] = kind.rawValue
    var count = 1
    func add(_ number: Int64) {
      var rest = UInt64(bitPattern: number)
      while rest > 0x7F {
        bytes[count] = UInt8(truncatingIfNeeded: rest) | 0x80
        count += 1
        rest >>= 7
      }
      bytes[count] = UInt8(truncatingIfNeeded: rest)
      count += 1
    }
    add(account)
    add(campaign)
    add(resource)
    add(channel)
    add(profile)
    add(subscription)
    add(milliseconds)
    if kind == .unique { add(group) }
    let crc = CRC32C.checksum(bytes.span.extracting(0..<count))
    for index in 0..<4 { bytes[count + index] = UInt8(truncatingIfNeeded: crc >> UInt32(24 - 8 * index)) }
    count += 4
    out.append(kind.rawValue)
    Base58.append(bytes.span.extracting(1..<count), to: &out)
  }

  private static let longest = 116

  /// Reads an id's text.
  /// - Throws: `CampaignError` that says what is wrong: no id at all, or one that was mistyped or cut.
  public static func decode(_ text: some Collection<UInt8>) throws(CampaignError) -> MessageID {
    guard let letter = text.first, let kind = Kind(rawValue: letter) else {
      throw refusal("it begins with T, U or E")
    }
    // Base58 takes the square of the length; what comes from outside is capped first.
    guard text.count <= longest else { throw refusal("\(longest) characters at most, not \(text.count)") }
    guard let bytes = Base58.decode(text.dropFirst()) else {
      throw refusal("a character in it is not one of base58's, which has no 0, O, I and l")
    }
    guard bytes.count > 4, checksum(of: [letter] + bytes.dropLast(4)) == Array(bytes.suffix(4)) else {
      throw refusal("the checksum is wrong; was it cut or mistyped?")
    }
    var rest = bytes.dropLast(4)
    let id = MessageID(
      kind: kind, account: try number(from: &rest), campaign: try number(from: &rest),
      resource: try number(from: &rest), channel: try number(from: &rest), profile: try number(from: &rest),
      subscription: try number(from: &rest), milliseconds: try number(from: &rest),
      group: kind == .unique ? try number(from: &rest) : 0)
    guard rest.isEmpty else { throw refusal("it holds more than an id does") }
    return id
  }

  private static func checksum(of bytes: [UInt8]) -> [UInt8] {
    let crc = CRC32C.checksum(bytes.span)
    return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: crc >> $0) }
  }

  private static func number(from rest: inout ArraySlice<UInt8>) throws(CampaignError) -> Int64 {
    var number: UInt64 = 0
    for shift in stride(from: 0 as UInt64, through: 63, by: 7) {
      guard let byte = rest.popFirst() else { break }
      // The tenth byte holds one bit. A last byte of 0 would be a second way to write the number.
      if shift == 63, byte > 1 { break }
      if shift > 0, byte == 0 { break }
      number |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return Int64(bitPattern: number) }
    }
    throw refusal("its numbers are not written as they should be")
  }

  private static func refusal(_ message: String) -> CampaignError {
    CampaignError(field: "message id", message: message)
  }
}
