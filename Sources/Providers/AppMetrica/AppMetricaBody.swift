internal import Base
internal import Rendering

/// The body of one request, written entry by entry until it is full.
struct AppMetricaBody {
  private let slice: RenderedSlice
  private let input: RenderInput
  private let key: [UInt8]
  private let limit: Int
  private(set) var bytes: [UInt8] = []

  /// The places of one rendered payload.
  private struct Places {
    let body: Range<Int>
    /// Past the opening brace of the request object: the transfer's id goes there.
    let root: Int
    /// Past the opening and before the closing bracket of the batch.
    let batch: Range<Int>
    /// The id array with its brackets.
    let ids: Range<Int>

    var entryBytes: Int { batch.count - ids.count + 2 }
  }

  init(slice: RenderedSlice, input: RenderInput, requestKey: Int64, limit: Int) {
    self.slice = slice
    self.input = input
    self.limit = limit
    key = Array("\"client_transfer_id\":\(requestKey),".utf8)
  }

  /// Nil when the template lacks one of the places.
  private func places(of message: Int) -> Places? {
    let body = slice.messages[message].body
    let first = message * AppMetricaLane.landmarks.count
    let (root, batch, ids) = (slice.landmarks[first], slice.landmarks[first + 1], slice.landmarks[first + 2])
    guard root.isPart(of: body), batch.isPart(of: root), ids.isPart(of: batch), batch.count >= 2, ids.count >= 2 else {
      return nil
    }
    return Places(
      body: body.range, root: root.range.lowerBound + 1,
      batch: batch.range.lowerBound + 1..<batch.range.upperBound - 1, ids: ids.range)
  }

  /// Bytes of the request for this message alone.
  private func size(of message: Int, _ places: Places) -> Int {
    places.body.count - places.batch.count + key.count + places.entryBytes + idBytes(of: message)
  }

  private func idBytes(of message: Int) -> Int {
    input.messages[slice.messages[message].input].token.count + 2
  }

  /// Whether a request can begin with this message.
  /// - Returns: nil when it can, else its bytes: more than a request may have.
  func begin(at message: Int) -> Int? {
    let size = places(of: message).map { self.size(of: message, $0) } ?? slice.messages[message].body.count
    return size > limit ? size : nil
  }

  /// Writes the request for messages from `start` on.
  ///
  /// A payload without the places (a channel's own template) travels alone and as it is; AppMetrica refuses it, and
  /// that is the message's verdict.
  /// - Returns: the first message that isn't in it.
  mutating func fill(from start: Int, to end: Int) -> Int {
    guard start < end else { return start }
    guard let head = places(of: start) else {
      bytes.append(slice.bytes, slice.messages[start].body.range)
      return start + 1
    }
    bytes.reserveCapacity(min(limit, slice.bytes.count + input.tokens.count + 4 * slice.messages.count))
    bytes.append(slice.bytes, head.body.lowerBound..<head.root)
    bytes.append(contentsOf: key)
    bytes.append(slice.bytes, head.root..<head.batch.lowerBound)
    let tail = head.batch.upperBound..<head.body.upperBound
    var next = start
    while next < end, let entry = places(of: next) {
      let separator = next > start ? 1 : 0
      let room = limit - bytes.count - tail.count - separator - entry.entryBytes
      guard idBytes(of: next) <= room else { break }
      if separator > 0 { bytes.append(UInt8(ascii: ",")) }
      bytes.append(slice.bytes, entry.batch.lowerBound..<entry.ids.lowerBound)
      next = appendIDs(from: next, to: end, room: room)
      bytes.append(slice.bytes, entry.ids.upperBound..<entry.batch.upperBound)
    }
    bytes.append(slice.bytes, tail)
    return next
  }

  /// Writes the id array of the messages that share one payload, as many as fit into `room`.
  private mutating func appendIDs(from start: Int, to end: Int, room: Int) -> Int {
    let body = slice.messages[start].body
    var left = room
    var next = start
    bytes.append(UInt8(ascii: "["))
    while next < end, slice.messages[next].body == body {
      let size = idBytes(of: next) + (next > start ? 1 : 0)
      if size > left { break }
      left -= size
      if next > start { bytes.append(UInt8(ascii: ",")) }
      bytes.append(UInt8(ascii: "\""))
      bytes.appendEscaped(input.tokens, input.messages[slice.messages[next].input].token.range)
      bytes.append(UInt8(ascii: "\""))
      next += 1
    }
    bytes.append(UInt8(ascii: "]"))
    return next
  }
}
