internal import CLibpq
import Glibc

/// What to hand to libpq: the user's settings, from wherever libpq takes them, and Salvo's where the user says nothing.
///
/// Salvo's are keywords and `options`, never SET: behind PgBouncer in transaction mode a SET would land on some other
/// client's session.
struct ConnectionSettings {
  /// Bounds on how long a dead peer or a lost packet can hold a thread; seconds, `tcp_user_timeout` milliseconds.
  private static let defaults = [
    ("connect_timeout", "10"), ("keepalives_idle", "30"), ("keepalives_interval", "10"), ("keepalives_count", "3"),
    ("tcp_user_timeout", "30000"),
  ]

  /// Bounds that the server keeps, in milliseconds, and names resolved by schema alone. A statement that needs longer
  /// says `SET LOCAL` in its transaction.
  private static let serverDefaults =
    "-c statement_timeout=600000 -c lock_timeout=30000 -c idle_in_transaction_session_timeout=30000 -c search_path="

  /// `user@host:port/database`, for messages.
  let place: String
  /// In libpq's order: a later one wins, and `dbname` is expanded in its place.
  let keywords: [(String, String)]
  /// The same without `serverDefaults`, for poolers that refuse `options`.
  let plainKeywords: [(String, String)]

  /// - Throws: `.settings` when libpq can't read them. Nothing of them is in the message: libpq's own may
  ///   quote a password that lost its quotes.
  init(conninfo: String, applicationName: String) throws(PostgresError) {
    let (settings, place) = Self.resolve(conninfo)
    guard settings["sslmode"] != nil else {
      throw PostgresError(
        .settings,
        "the database's connection settings can't be read: check --database, or what the PG* variables and the service"
          + " file say")
    }
    let given = settings["options"] ?? ""
    let missing = Self.defaults.filter { settings[$0.0] == nil }
    plainKeywords =
      missing + [
        ("fallback_application_name", applicationName), ("dbname", conninfo), ("client_encoding", "UTF8"),
      ]
    // The last -c of a name wins: the user's come after ours.
    keywords = plainKeywords + [("options", Self.serverDefaults + (given.isEmpty ? "" : " " + given))]
    self.place = place
  }

  /// What libpq makes of conninfo, `PG*` and the service file together. An `sslmode` that doesn't exist makes it stop
  /// after it has put them together and before it would connect; it comes back only if all of them could be read.
  private static func resolve(_ conninfo: String) -> (settings: [String: String], place: String) {
    let probe = withCStrings(of: [("dbname", conninfo), ("sslmode", "unresolved")]) {
      PQconnectStartParams($0, $1, 1)
    }
    defer { PQfinish(probe) }
    var settings: [String: String] = [:]
    if let options = PQconninfo(probe) {
      defer { PQconninfoFree(options) }
      var option = options
      while let keyword = option.pointee.keyword {
        if let value = option.pointee.val { settings[String(cString: keyword)] = String(cString: value) }
        option += 1
      }
    }
    func text(_ value: UnsafeMutablePointer<CChar>?) -> String { value.map { String(cString: $0) } ?? "" }
    let host = settings["host"] ?? settings["hostaddr"] ?? text(PQhost(probe))
    let port = settings["port"] ?? text(PQport(probe))
    return (settings, "\(text(PQuser(probe)))@\(host):\(port)/\(text(PQdb(probe)))")
  }

  /// Connects and waits for it.
  /// - Throws: `.connection`, in one line that names host and port.
  func connect() throws(PostgresError) -> OpaquePointer {
    do {
      return try Self.connect(keywords)
    } catch {
      // PgBouncer's words: "unsupported startup parameter: options", since 1.20 "… parameter in options: search_path".
      guard error.message.contains("unsupported startup parameter") else { throw error }
      return try Self.connect(plainKeywords)
    }
  }

  private static func connect(_ keywords: [(String, String)]) throws(PostgresError) -> OpaquePointer {
    guard let handle = withCStrings(of: keywords, { PQconnectdbParams($0, $1, 1) }) else {
      throw PostgresError(.connection, "libpq has no memory for a connection")
    }
    guard PQstatus(handle) == CONNECTION_OK else {
      let message = PostgresText.oneLine(String(cString: PQerrorMessage(handle)))
      PQfinish(handle)
      throw PostgresError(.connection, message)
    }
    return handle
  }

  /// The two null-terminated arrays that libpq takes.
  private static func withCStrings(
    of keywords: [(String, String)],
    _ body: (UnsafePointer<UnsafePointer<CChar>?>, UnsafePointer<UnsafePointer<CChar>?>) -> OpaquePointer?
  ) -> OpaquePointer? {
    let names = keywords.map { strdup($0.0) }
    let values = keywords.map { strdup($0.1) }
    defer { for string in names + values { free(string) } }
    let namePointers = names.map { UnsafePointer($0) } + [nil]
    let valuePointers = values.map { UnsafePointer($0) } + [nil]
    return namePointers.withUnsafeBufferPointer { names in
      valuePointers.withUnsafeBufferPointer { values in
        guard let names = names.baseAddress, let values = values.baseAddress else { return nil }
        return body(names, values)
      }
    }
  }
}
