internal import CLinux

/// Files and connections of this process.
public enum OpenFiles {
  /// How many it may have open at once (RLIMIT_NOFILE, the soft limit).
  public static var limit: Int64 { clinux_open_files_limit() }
}
