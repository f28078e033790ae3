import Glibc

/// Variables of the process's environment. Read them before threads start to be sure nobody changes them meanwhile.
public enum Environment {
  /// The variable's text; nil when it is not set or empty.
  public static func value(_ name: String) -> String? {
    guard let value = getenv(name), value.pointee != 0 else { return nil }
    return String(cString: value)
  }
}
