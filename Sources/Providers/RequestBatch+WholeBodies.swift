internal import Base
internal import Rendering
internal import Transport

extension RequestBatch {
  /// One request a message, all to one path; the rendered payload is the whole body.
  /// - Parameter limit: bytes that a body may have.
  static func wholeBodies(
    of slice: RenderedSlice, input: RenderInput, path: [UInt8], limit: Int, headers: HeaderSet
  ) -> RequestBatch {
    // The rendered bytes are the page's bytes: bodies stay where they are, the path comes behind them.
    var kept = slice
    kept.bytes.reserveCapacity(slice.bytes.count + path.count)
    let path = kept.bytes.place(path)
    var requests: [Request] = []
    var spans: [RequestSpan] = []
    var tooLarge: [(message: Int, bytes: Int)] = []
    requests.reserveCapacity(slice.messages.count)
    spans.reserveCapacity(slice.messages.count)
    for (index, message) in slice.messages.enumerated() {
      guard message.body.count <= limit else {
        tooLarge.append((index, message.body.count))
        continue
      }
      requests.append(Request(path: path, headers: ByteRange(lower: 0, upper: 0), body: message.body))
      spans.append(RequestSpan(messages: index..<index + 1))
    }
    return RequestBatch(
      page: RequestPage(bytes: kept.bytes, requests: requests, headers: headers), spans: spans, slice: kept,
      input: input, tooLarge: tooLarge)
  }
}
