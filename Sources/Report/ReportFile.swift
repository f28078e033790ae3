import Base
public import Campaign
public import Store

/// A launch's report as a file's bytes, and such a file in a folder.
public enum ReportFile {
  /// The whole report, UTF-8 with a line end last.
  public static func bytes(_ report: LaunchReport, _ format: ReportFormat) -> [UInt8] {
    switch format {
    case .html: Array(HTMLReport.text(report).utf8)
    case .json: Array((JSONReport.object(report).text + "\n").utf8)
    case .csv: Array(CSVReport.text(report).utf8)
    }
  }

  /// Whether a name from a row may be a file's: one of a folder's own, not hidden, no way out of it.
  public static func isPlain(_ name: String) -> Bool {
    (1...200).contains(name.utf8.count) && !name.hasPrefix(".")
      && name.unicodeScalars.allSatisfy { $0.isHarmless && $0 != "/" && $0 != "\\" }
  }

  /// Reads the launch's report and writes it into a folder, whole or not at all, for this user alone.
  /// - Parameters:
  ///   - name: a plain file name, as `isPlain` says.
  ///   - folder: the state folder.
  /// - Throws: `StoreError` `.notFound` when there is no such launch, `.content` when the name isn't plain;
  ///   `FileError` when the file can't be written.
  public static func write(
    _ launch: Int64, _ format: ReportFormat, to name: String, in folder: String, by reader: ReportReader
  ) async throws {
    guard isPlain(name) else {
      throw StoreError(
        .content, "\"\(name.onOneLine)\" is no name for a report: a plain file name is needed, without /")
    }
    let report = try await reader.read(launch)
    try FileFolder(folder).write(bytes(report, format), to: name)
  }
}
