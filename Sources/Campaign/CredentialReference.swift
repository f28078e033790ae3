/// Where a secret lies, never the secret: `file:NAME` in the credentials folder or `env:NAME`.
public enum CredentialReference: Sendable, Hashable, CustomStringConvertible {
  /// A plain file name without `/`.
  case file(String)
  case environment(String)

  /// Nil for anything but the two forms; a file name with `/`, `.` or `..` alone is refused.
  public init?(_ text: String) {
    if text.hasPrefix("file:") {
      let name = String(text.dropFirst(5))
      guard !name.isEmpty, !name.contains("/"), name != ".", name != "..", !name.contains("\0") else { return nil }
      self = .file(name)
    } else if text.hasPrefix("env:") {
      let name = String(text.dropFirst(4))
      guard !name.isEmpty, !name.contains("="), !name.contains("\0") else { return nil }
      self = .environment(name)
    } else {
      return nil
    }
  }

  public var description: String {
    switch self {
    case .file(let name): "file:\(name)"
    case .environment(let name): "env:\(name)"
    }
  }
}
