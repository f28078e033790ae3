import Base
import Campaign
import Providers
import Store

/// One entry of a journal: 4 bytes length, 4 bytes CRC-32C of what follows, then its kind and its fields, numbers in
/// network order.
enum JournalRecord: Equatable, Sendable {
  /// What became of messages that were handed over.
  enum End: Equatable, Sendable {
    case verdict(MessageVerdict)
    /// Nothing of them reached the provider.
    case notTaken
  }

  /// The first: whose journal it is. `boot` is the kernel's id of the time since the machine started.
  case began(launch: Int64, startedAt: EpochMilliseconds, boot: String)
  case opened(number: UInt32, JournaledWindow)
  /// Written before any of these may reach the network.
  case handingOver(number: UInt32, messages: [Int])
  /// `handedOver`: whether the exchange gave them to the network.
  case ended(number: UInt32, messages: [Int], handedOver: Bool, End)
  /// Closed without sending: duplicates, subscriptions that are no longer active.
  case skipped(number: UInt32, messages: [Int], reason: String)
  case closed(number: UInt32)

  // MARK: Write

  func append(to out: inout [UInt8]) {
    let start = out.count
    out.append(contentsOf: repeatElement(0, count: 8))
    appendFields(&out)
    let crc = CRC32C.checksum(out.span.extracting((start + 8)..<out.count))
    let length = UInt32(truncatingIfNeeded: out.count - start - 8)
    for (index, value) in [length, crc].enumerated() {
      withUnsafeBytes(of: value.bigEndian) { bytes in
        for offset in 0..<4 { out[start + 4 * index + offset] = bytes[offset] }
      }
    }
  }

  private func appendFields(_ out: inout [UInt8]) {
    switch self {
    case .began(let launch, let startedAt, let boot):
      out.append(0)
      out.appendInteger(launch)
      out.appendInteger(startedAt.value)
      out.appendText(boot)
    case .opened(let number, let window):
      out.append(1)
      out.appendInteger(number)
      window.append(to: &out)
    case .handingOver(let number, let messages):
      out.append(2)
      out.appendInteger(number)
      out.appendRuns(messages)
    case .ended(let number, let messages, let handedOver, let end):
      out.append(3)
      out.appendInteger(number)
      out.appendRuns(messages)
      out.append(handedOver ? 1 : 0)
      switch end {
      case .notTaken: out.append(0)
      case .verdict(let verdict):
        out.append(1)
        verdict.append(to: &out)
      }
    case .skipped(let number, let messages, let reason):
      out.append(4)
      out.appendInteger(number)
      out.appendRuns(messages)
      out.appendText(reason)
    case .closed(let number):
      out.append(5)
      out.appendInteger(number)
    }
  }

  // MARK: Read

  /// - Returns: the records up to the first that can't be read; `isIntact`: that is the end of the file, or a record
  ///   that its writer didn't live to finish.
  static func read(_ bytes: [UInt8]) -> (records: [JournalRecord], isIntact: Bool) {
    var records: [JournalRecord] = []
    var reader = JournalReader(bytes[...])
    while !reader.isAtEnd {
      guard let length: UInt32 = reader.integer(), let crc: UInt32 = reader.integer(),
        let fields = reader.bytes(Int(length))
      else { return (records, true) }
      guard Array(fields).withUnsafeBufferPointer({ CRC32C.checksum($0.span) }) == crc else { return (records, false) }
      var inner = JournalReader(fields)
      guard let record = JournalRecord(&inner), inner.isAtEnd else { return (records, false) }
      records.append(record)
    }
    return (records, true)
  }

  private init?(_ reader: inout JournalReader) {
    guard let kind: UInt8 = reader.integer() else { return nil }
    if kind == 0 {
      guard let launch: Int64 = reader.integer(), let startedAt: Int64 = reader.integer(), let boot = reader.text()
      else { return nil }
      self = .began(launch: launch, startedAt: EpochMilliseconds(startedAt), boot: boot ?? "")
      return
    }
    guard let number: UInt32 = reader.integer() else { return nil }
    switch kind {
    case 1:
      guard let window = JournaledWindow(&reader) else { return nil }
      self = .opened(number: number, window)
    case 2:
      guard let messages = reader.runs() else { return nil }
      self = .handingOver(number: number, messages: messages)
    case 3:
      guard let messages = reader.runs(), let handedOver: UInt8 = reader.integer(), let end: UInt8 = reader.integer()
      else { return nil }
      if end == 0 {
        self = .ended(number: number, messages: messages, handedOver: handedOver != 0, .notTaken)
      } else {
        guard let verdict = MessageVerdict(&reader) else { return nil }
        self = .ended(number: number, messages: messages, handedOver: handedOver != 0, .verdict(verdict))
      }
    case 4:
      guard let messages = reader.runs(), let reason = reader.text() else { return nil }
      self = .skipped(number: number, messages: messages, reason: reason ?? "")
    case 5: self = .closed(number: number)
    default: return nil
    }
  }
}

/// A window as its journal knows it: where it stands in the database, and the exact keys.
struct JournaledWindow: Equatable, Sendable {
  let channelID: Int64
  let chunkNo: Int32
  let windowNo: Int32
  let id: Int64
  let token: Int64
  let attempt: Int16
  /// The provider can be asked about it (AppMetrica).
  let settlesLater: Bool
  /// Where the chunk stood before it.
  let cursor: RecipientKey
  let keys: [RecipientKey]

  fileprivate func append(to out: inout [UInt8]) {
    out.appendInteger(channelID)
    out.appendInteger(chunkNo)
    out.appendInteger(windowNo)
    out.appendInteger(id)
    out.appendInteger(token)
    out.appendInteger(attempt)
    out.append(settlesLater ? 1 : 0)
    out.appendInteger(UInt32(truncatingIfNeeded: keys.count))
    for key in [cursor] + keys {
      out.appendInteger(key.profileID)
      out.appendInteger(key.subscriptionID)
    }
  }
}

extension JournaledWindow {
  /// - Parameter cursor: the last key before the window that is accounted.
  init(_ open: OpenWindow, of lease: ChunkLease, keys: [RecipientKey], cursor: RecipientKey, settlesLater: Bool) {
    self.init(
      channelID: lease.channelID, chunkNo: lease.chunkNo, windowNo: open.windowNo, id: open.id, token: lease.token,
      attempt: lease.attempt, settlesLater: settlesLater, cursor: cursor, keys: keys)
  }

  fileprivate init?(_ reader: inout JournalReader) {
    guard let channelID: Int64 = reader.integer(), let chunkNo: Int32 = reader.integer(),
      let windowNo: Int32 = reader.integer(), let id: Int64 = reader.integer(), let token: Int64 = reader.integer(),
      let attempt: Int16 = reader.integer(), let settlesLater: UInt8 = reader.integer(),
      let count: UInt32 = reader.integer()
    else { return nil }
    var keys: [RecipientKey] = []
    for _ in 0...count {
      guard let profile: Int64 = reader.integer(), let subscription: Int64 = reader.integer() else { return nil }
      keys.append(RecipientKey(profileID: profile, subscriptionID: subscription))
    }
    self.init(
      channelID: channelID, chunkNo: chunkNo, windowNo: windowNo, id: id, token: token, attempt: attempt,
      settlesLater: settlesLater != 0, cursor: keys[0], keys: Array(keys.dropFirst()))
  }
}

extension MessageVerdict {
  fileprivate func append(to out: inout [UInt8]) {
    switch verdict {
    case .sent: out.append(0)
    case .accepted: out.append(1)
    case .retire: out.append(2)
    case .reject: out.append(3)
    case .retry(let after, let laneWide):
      out.append(laneWide ? 5 : 4)
      out.appendInteger(after.bitPattern)
    case .refreshAccess: out.append(6)
    case .stop(let isCredential): out.append(isCredential ? 8 : 7)
    case .unknown: out.append(9)
    }
    out.appendInteger(Int32(truncatingIfNeeded: httpStatus ?? -1))
    for text in [reason, providerCode, providerMessageID] { out.appendText(text) }
  }

  fileprivate init?(_ reader: inout JournalReader) {
    let verdict: Verdict
    switch reader.integer() as UInt8? {
    case 0: verdict = .sent
    case 1: verdict = .accepted
    case 2: verdict = .retire
    case 3: verdict = .reject
    case .some(let kind) where kind == 4 || kind == 5:
      guard let after: UInt64 = reader.integer() else { return nil }
      verdict = .retry(after: Double(bitPattern: after), laneWide: kind == 5)
    case 6: verdict = .refreshAccess
    case .some(let kind) where kind == 7 || kind == 8: verdict = .stop(isCredential: kind == 8)
    case 9: verdict = .unknown
    default: return nil
    }
    guard let status: Int32 = reader.integer(), let reason = reader.text(), let code = reader.text(),
      let id = reader.text()
    else { return nil }
    self.init(
      verdict, reason: reason, httpStatus: status < 0 ? nil : Int(status), providerCode: code, providerMessageID: id)
  }
}
