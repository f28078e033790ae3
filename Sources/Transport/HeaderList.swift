internal import CCurl

/// The `curl_slist` of one `HeaderSet`. Shared by all transfers that send the set; read-only once made.
final class HeaderList {
  let head: UnsafeMutablePointer<curl_slist>
  /// The set it was made from, kept so that its identity can't become another one's.
  private let source: HeaderSet

  /// Nil when memory is out, or a line holds a control character: over HTTP/2 CR LF would begin another header (C19).
  init?(_ set: HeaderSet) {
    // No `Expect: 100-continue`: libcurl would wait a second for it on HTTP/1.1 bodies above 1 MB.
    guard var list = curl_slist_append(nil, "Expect:") else { return nil }
    for line in set.lines {
      guard !line.utf8.contains(where: isControl), let longer = curl_slist_append(list, line) else {
        curl_slist_free_all(list)
        return nil
      }
      list = longer
    }
    head = list
    source = set
  }

  deinit { curl_slist_free_all(head) }
}

/// Bytes that must not appear inside a header line, or in a path.
func isControl(_ byte: UInt8) -> Bool { byte < 0x20 && byte != 0x09 || byte == 0x7F }
