internal import CLinux

/// How the process gets memory from the system.
public enum Memory {
  /// From now on blocks of that many bytes and more are mapped one by one, and go back to the system when they are freed.
  ///
  /// By default glibc raises the size with the first large block that is freed; pages and payloads, made and freed by
  /// many threads, then leave holes in every thread's heap: 82 MB at the end of 200,000 messages instead of 66.
  public static func mapBlocks(from bytes: Int32) { clinux_map_blocks_from(bytes) }
}
