internal import CCurl

/// One request's own header lines, linked in front of the shared ones. libcurl copies neither nodes nor text, so both
/// live here until the transfer is done, and are overwritten by the next.
final class RequestHeaders {
  private var nodes = UnsafeMutableBufferPointer<curl_slist>.allocate(capacity: 8)
  private var text = UnsafeMutableBufferPointer<CChar>.allocate(capacity: 512)

  deinit {
    nodes.deallocate()
    text.deallocate()
  }

  /// The list of `lines` (each ended by NUL) followed by `shared`; nil when a line holds a control character.
  func link(
    _ lines: ArraySlice<UInt8>, before shared: UnsafeMutablePointer<curl_slist>
  ) -> UnsafeMutablePointer<curl_slist>? {
    if lines.count > text.count {
      text.deallocate()
      text = .allocate(capacity: lines.count * 2)
    }
    var starts = 0
    for (at, byte) in lines.enumerated() {
      if byte != 0 && isControl(byte) { return nil }
      text[at] = CChar(bitPattern: byte)
      if byte == 0 { starts += 1 }
    }
    guard let base = text.baseAddress, lines.isEmpty || lines.last == 0 else { return nil }
    if starts > nodes.count {
      nodes.deallocate()
      nodes = .allocate(capacity: starts * 2)
    }
    guard let first = nodes.baseAddress, starts > 0 else { return shared }
    var begin = 0
    var node = 0
    for at in 0..<lines.count where text[at] == 0 {
      (first + node).initialize(to: curl_slist(data: base + begin, next: node + 1 < starts ? first + node + 1 : shared))
      begin = at + 1
      node += 1
    }
    return first
  }
}
