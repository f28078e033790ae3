public import Postgres

/// What authorises requests for a while, as the processes of the minute share it.
public struct StoredToken: Sendable, Equatable {
  /// The whole header value. A secret: the table is readable by the runner's role alone.
  public var token: String
  /// Seconds from now until a new one should be made.
  public var renewAfter: Double
  /// Seconds from now until it ends.
  public var expiresAfter: Double

  /// Times are seconds from now, by the database's clock.
  public init(token: String, renewAfter: Double, expiresAfter: Double) {
    self.token = token
    self.renewAfter = renewAfter
    self.expiresAfter = expiresAfter
  }
}

/// `salvo.provider_token`: one token a credential for all processes. APNs punishes a team that shows a new token more
/// often than every twenty minutes, however many processes it has.
///
/// Times are the database's: seconds from now go in and come out, so that two machines' clocks needn't agree.
public struct TokenStore: Sendable {
  let database: Database
  /// Reads and writes by one of its connections at a time.
  public init(_ database: Database) { self.database = database }

  private static let select = """
    select token, extract(epoch from renew_at - now())::float8, extract(epoch from expires_at - now())::float8
    from salvo.provider_token where credential = $1 and renew_at > now()
    """

  /// The credential's token, if there is one that needn't be renewed yet.
  /// - Parameter credential: names the credential without giving it away: a fingerprint.
  public func token(for credential: String) async throws -> StoredToken? {
    try await database.perform("reading a shared token") { try Self.token(for: credential, $0) }
  }

  private static func token(for credential: String, _ connection: Connection) throws -> StoredToken? {
    guard let row = try connection.execute(select, [.text(credential)]).first, let token = row.text(0),
      let renewAfter = row.double(1), let expiresAfter = row.double(2)
    else { return nil }
    return StoredToken(token: token, renewAfter: renewAfter, expiresAfter: expiresAfter)
  }

  private static let replace = """
    insert into salvo.provider_token as t (credential, token, issued_at, renew_at, expires_at)
    values ($1, $2, now(), now() + make_interval(secs => $3), now() + make_interval(secs => $4))
    on conflict (credential) do update
    set token = excluded.token, issued_at = excluded.issued_at, renew_at = excluded.renew_at,
      expires_at = excluded.expires_at
    where t.renew_at <= excluded.issued_at or t.token = $5
    returning t.token
    """

  /// Offers a fresh token. The first offer wins; the others take the winner's and never show theirs to the provider.
  /// - Parameter refused: the token that the provider refused, which any offer replaces.
  /// - Returns: the token to use.
  public func offer(_ fresh: StoredToken, for credential: String, insteadOf refused: String?) async throws
    -> StoredToken
  {
    try await database.perform("sharing a token") { connection in
      let won = try connection.execute(
        Self.replace,
        [
          .text(credential), .text(fresh.token), .double(fresh.renewAfter), .double(fresh.expiresAfter),
          refused.map { .text($0) } ?? .null,
        ])
      if !won.isEmpty { return fresh }
      // Between the two statements it can only have been replaced by one that is newer still.
      return try Self.token(for: credential, connection) ?? fresh
    }
  }
}
