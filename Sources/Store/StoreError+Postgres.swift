public import Postgres

extension StoreError {
  /// What the database said, as the store says it: one line, without the values of rows.
  /// - Parameters:
  ///   - doing: what was being done, as a noun: "opening a window".
  ///   - place: `Database.place`.
  public init(_ error: PostgresError, doing: String, at place: String) {
    switch error.code {
    case .settings: self.init(.configuration, error.description)
    case .connection where error.isCommitUnknown:
      self.init(
        .away, "\(doing): the database \(place) broke off at COMMIT, which may have been done: \(error.description)")
    case .connection:
      self.init(.away, "\(doing): the database \(place) is away: \(error.description)")
    case .server where Self.isSchemaMismatch(error.sqlState):
      self.init(
        .version,
        "\(doing): the database \(place) lacks what this salvo needs: \(error.description); run `salvo migrate`")
    case .server where error.sqlState == "42501":
      self.init(
        .configuration,
        "\(doing): the database \(place) refused it: \(error.description); grant this user the role that may:"
          + " salvo_runner sends, salvo_reader reads")
    case .server where Self.isTemporary(error.sqlState):
      self.init(.away, "\(doing): the database \(place) can't do it now: \(error.description)")
    case .server, .protocolViolation:
      self.init(.refused, "\(doing): the database \(place) refused it: \(error.description)")
    }
  }

  /// invalid_schema_name, undefined_table, undefined_column, undefined_function.
  private static func isSchemaMismatch(_ sqlState: String?) -> Bool {
    ["3F000", "42P01", "42703", "42883"].contains(sqlState)
  }

  /// What passes by itself or by an operator's hand, and may then be tried again: class 40 rolled back for others'
  /// sake, class 53 out of resources, lock not available, cancelled or timed out, read-only after a failover.
  private static func isTemporary(_ sqlState: String?) -> Bool {
    guard let sqlState else { return false }
    return sqlState.hasPrefix("40") || sqlState.hasPrefix("53") || ["55P03", "57014", "25006"].contains(sqlState)
  }
}
