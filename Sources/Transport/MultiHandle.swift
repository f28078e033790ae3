internal import CCurl

/// The only owner of a `CURLM *`, and with it of the connections. Confined to its pool's thread. Not final: tests make
/// one that fails.
class MultiHandle {
  let multi: OpaquePointer

  /// Nil when libcurl has no memory or refuses an option.
  init?(_ configuration: PoolConfiguration) {
    guard let multi = curl_multi_init() else { return nil }
    self.multi = multi
    let codes = [
      ccurl_multi_set_long(multi, CURLMOPT_PIPELINING, Int(CURLPIPE_MULTIPLEX)),
      // What bounds the number of connections; unlimited by default.
      ccurl_multi_set_long(multi, CURLMOPT_MAX_HOST_CONNECTIONS, configuration.connections),
      ccurl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, configuration.connections),
      ccurl_multi_set_long(multi, CURLMOPT_MAX_CONCURRENT_STREAMS, configuration.streams),
    ]
    if codes.contains(where: { $0 != CURLM_OK }) { return nil }
  }

  /// Closes the connections. Its easy handles must be gone.
  deinit { curl_multi_cleanup(multi) }

  func add(_ handle: EasyHandle) -> Bool { curl_multi_add_handle(multi, handle.curl) == CURLM_OK }

  func remove(_ handle: EasyHandle) { curl_multi_remove_handle(multi, handle.curl) }

  /// - Returns: what went wrong, nil if nothing did.
  func perform() -> String? {
    var running: Int32 = 0
    let code = curl_multi_perform(multi, &running)
    return code == CURLM_OK ? nil : String(cString: curl_multi_strerror(code))
  }

  /// Waits for a socket, a timer of libcurl's, a wake-up or the end of the time.
  func poll(milliseconds: Int32) {
    var ready: Int32 = 0
    curl_multi_poll(multi, nil, 0, milliseconds, &ready)
  }

  /// Takes the next finished transfer out.
  func nextFinished() -> (EasyHandle, CURLcode)? {
    var left: Int32 = 0
    while let message = curl_multi_info_read(multi, &left) {
      guard message.pointee.msg == CURLMSG_DONE, let easy = message.pointee.easy_handle,
        let raw = ccurl_get_private(easy)
      else { continue }
      // Removing the handle frees the message.
      let code = ccurl_message_result(message)
      curl_multi_remove_handle(multi, easy)
      return (Unmanaged<EasyHandle>.fromOpaque(raw).takeUnretainedValue(), code)
    }
    return nil
  }
}
