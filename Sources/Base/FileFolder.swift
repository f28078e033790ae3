import Glibc

/// Small files of a folder, each written whole or not at all.
public struct FileFolder: Sendable {
  /// Its path.
  public let path: String

  /// Looks at nothing yet: the folder needn't exist.
  public init(_ path: String) { self.path = path }

  /// The names of its files that end so, sorted; none when there is no such folder.
  public func names(ending: String) -> [String] {
    guard let folder = opendir(path) else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name.hasSuffix(ending) { names.append(name) }
    }
    return names.sorted()
  }

  /// Writes a file and waits until it is on the disk. It appears under its name when it is whole.
  /// - Parameter mode: who may read it; without it this user alone.
  public func write(_ bytes: [UInt8], to name: String, mode: UInt32 = 0o600) throws(FileError) {
    let file = try OutputFile("\(path)/\(name)", mode: mode)
    try file.write(bytes)
    try file.finish()
  }

  /// Takes a file away.
  public func remove(_ name: String) throws(FileError) {
    guard unlink("\(path)/\(name)") == 0 else { throw failure("\(path)/\(name)") }
  }

  private func failure(_ path: String) -> FileError {
    let error = errno
    return FileError(path: path, reason: String(cString: strerror(error)), isMissing: error == ENOENT)
  }
}
