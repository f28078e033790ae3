import Base
public import Campaign

/// Finds the secret that a reference names.
public struct CredentialStore: Sendable {
  /// Credential files are a few kB; more is a mistake.
  static let limit = 65_536

  private let folder: String?

  /// - Parameter folder: `--credentials`, `SALVO_CREDENTIALS` or systemd's `CREDENTIALS_DIRECTORY`; nil when none is set.
  public init(folder: String?) { self.folder = folder }

  /// The secret's bytes as stored.
  /// - Throws: `RunError` naming the reference, never the content: 78.
  public func load(_ reference: CredentialReference, of owner: String) throws(RunError) -> [UInt8] {
    switch reference {
    case .environment(let name):
      guard let value = Environment.value(name) else {
        throw RunError(.configuration, "\(owner): the environment has no variable \(name) for its credential")
      }
      return Array(value.utf8)
    case .file(let name):
      guard let folder else {
        throw RunError(
          .configuration,
          "\(owner): its credential is the file \(name), but no credentials folder is set;"
            + " give --credentials DIR or SALVO_CREDENTIALS")
      }
      do {
        let bytes = try FileReader.read(folder + "/" + name, limit: Self.limit)
        guard !bytes.isEmpty else { throw RunError(.configuration, "\(owner): the credential file \(name) is empty") }
        return bytes
      } catch let error as FileError {
        throw RunError(
          .configuration, "\(owner): cannot read the credential file \(name) in \(folder): \(error.reason)")
      } catch let error as RunError {
        throw error
      } catch {
        throw RunError(.configuration, "\(owner): cannot read the credential file \(name)")
      }
    }
  }
}
