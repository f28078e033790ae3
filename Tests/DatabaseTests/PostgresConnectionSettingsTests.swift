import Foundation
import Testing

@testable import Postgres

@Suite("ConnectionSettings")
struct PostgresConnectionSettingsTests {
  private func value(_ keyword: String, _ settings: ConnectionSettings) -> String? {
    settings.keywords.last { $0.0 == keyword }?.1
  }

  @Test("where the user says nothing, the limits are Salvo's")
  func defaults() throws {
    let settings = try ConnectionSettings(conninfo: "host=db.example dbname=mail", applicationName: "salvo run")
    #expect(value("fallback_application_name", settings) == "salvo run")
    #expect(value("connect_timeout", settings) == "10")
    #expect(value("tcp_user_timeout", settings) == "30000")
    #expect(value("client_encoding", settings) == "UTF8")
    #expect(
      value("options", settings)
        == "-c statement_timeout=600000 -c lock_timeout=30000 -c idle_in_transaction_session_timeout=30000"
        + " -c search_path=")
    #expect(settings.plainKeywords.contains { $0.0 == "options" } == false)
  }

  @Test(
    "what the user says stays",
    arguments: [
      "host=db.example connect_timeout=3 options='-c statement_timeout=5'",
      "postgresql://db.example/?connect_timeout=3&options=-c%20statement_timeout%3D5",
    ])
  func given(conninfo: String) throws {
    let settings = try ConnectionSettings(conninfo: conninfo, applicationName: "salvo")
    #expect(value("connect_timeout", settings) == nil)
    #expect(value("options", settings)?.hasSuffix(" -c search_path= -c statement_timeout=5") == true)
  }

  @Test(
    "the place names user, host, port and database, never the password",
    arguments: [
      ("host=db.example port=6432 user=app dbname=mail password=hush", "app@db.example:6432/mail"),
      ("postgresql://app:hush@db.example:5433/mail", "app@db.example:5433/mail"),
      ("host=/run/pg port=5432 user=app dbname=mail", "app@/run/pg:5432/mail"),
      ("host=a,b port=1,2 user=app dbname=mail", "app@a,b:1,2/mail"),
    ])
  func place(conninfo: String, place: String) throws {
    #expect(try ConnectionSettings(conninfo: conninfo, applicationName: "salvo").place == place)
  }

  @Test(
    "unreadable settings are refused without quoting them",
    arguments: [
      "host=a password=hush secret", "postgresql://app:hush secret@[::1/mail", "hush=secret", "host='hush secret",
      "service=hush-secret",
    ])
  func unreadable(conninfo: String) {
    let error = #expect(throws: PostgresError.self) {
      try ConnectionSettings(conninfo: conninfo, applicationName: "salvo")
    }
    #expect(error?.code == .settings)
    #expect(error?.description.contains("connection settings can't be read") == true)
    #expect(error?.description.contains("hush") == false)
    #expect(error?.description.contains("secret") == false)
  }

  @Test("PG* and the service file count as the user's word")
  func environment() async {
    // A process of its own: the environment must not change while other tests' threads read it.
    await #expect(processExitsWith: .success) {
      let file = FileManager.default.temporaryDirectory.appendingPathComponent("pg_service-\(UUID()).conf")
      try "[mail]\nhost=db.example\nport=6432\nuser=app\ndbname=mail\noptions=-c lock_timeout=7\n"
        .write(to: file, atomically: true, encoding: .utf8)
      defer { try? FileManager.default.removeItem(at: file) }
      setenv("PGSERVICEFILE", file.path, 1)
      setenv("PGSERVICE", "mail", 1)
      setenv("PGCONNECT_TIMEOUT", "4", 1)
      let settings = try ConnectionSettings(conninfo: "", applicationName: "salvo")
      #expect(settings.place == "app@db.example:6432/mail")
      #expect(settings.keywords.contains { $0.0 == "connect_timeout" } == false)
      #expect(settings.keywords.last?.1.hasSuffix(" -c lock_timeout=7") == true)
    }
  }
}
