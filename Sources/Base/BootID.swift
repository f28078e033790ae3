/// Which time since the machine was started this is.
public enum BootID {
  /// The kernel's random id of it; empty where it can't be read.
  public static let current: String = {
    guard let bytes = try? FileReader.read("/proc/sys/kernel/random/boot_id", limit: 100) else { return "" }
    return String(decoding: bytes.prefix { $0 > 0x20 }, as: UTF8.self)
  }()
}
