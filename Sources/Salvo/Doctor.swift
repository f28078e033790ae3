import Base
import Campaign
import Glibc
import Pipeline
import Postgres
import Store
import Transport

/// Looks at everything a run needs, from the database to the providers' servers, and goes on past what is wrong.
struct Doctor {
  /// One line of its findings.
  struct Finding {
    enum Level: String {
      case right
      /// It works; somebody should look at it.
      case warning
      /// A run would end with `code`.
      case wrong
    }

    let level: Level
    let check: String
    let text: String
    /// What to do; nil where nothing is to be done.
    let advice: String?
    let code: Int32
  }

  /// Seconds that the clocks may differ: less is nothing, more refuses tokens. Apple takes an authorization's age from
  /// its own clock and refuses what is an hour old or from the future; salvo renews after 50 minutes.
  private static let skew = (warning: 2.0, wrong: 60.0)
  /// Descriptors beside connections: files, pipes, libraries, the listener.
  private static let otherFiles: Int64 = 64

  let process: ProcessSettings
  let settings: LaunchRun.Settings
  private(set) var findings: [Finding] = []

  init(_ process: ProcessSettings, _ settings: LaunchRun.Settings) {
    self.process = process
    self.settings = settings
  }

  /// The exit code by the worst finding.
  var exitCode: Int32 { findings.reduce(0) { ExitCode.worse($0, $1.code) } }

  mutating func examine() async {
    let database = process.database()
    libcurl()
    stateFolder()
    let examination = ChannelExamination(
      settings: settings, rates: RateStore(database, owner: "doctor"), log: process.log)
    let isTrustRight = trust(examination)
    var connections = 0
    if let health = await server(database), await schema(database) {
      await rights(database, health)
      // Without the file that all of them trust, each channel would say the same.
      if isTrustRight { connections = await channels(database, examination) }
    }
    openFiles(connections: connections)
  }

  private mutating func trust(_ examination: ChannelExamination) -> Bool {
    do {
      try examination.checkTrust()
      if let file = settings.extraCAFile { right("trust", "\(file) is trusted besides the system's certificates") }
      return true
    } catch {
      wrong("trust", error)
      return false
    }
  }

  // MARK: Database

  private mutating func server(_ database: Database) async -> DatabaseHealth? {
    let health: DatabaseHealth
    do { health = try await HealthReader(database).server() } catch {
      wrong("database", error)
      return nil
    }
    let place = "PostgreSQL \(health.serverVersion.split(separator: " ").first ?? "") at \(health.place)"
    if health.isStandby {
      wrong(
        "database", "\(place) is a standby, which takes no writes", "name the primary by --database or PGHOST",
        .configuration)
    } else if !health.keepsCommitted || health.synchronousCommit == "off" {
      warning(
        "database",
        "\(place) may forget committed rows in a crash (fsync, full_page_writes or synchronous_commit is off)",
        "turn them on: accounts are kept as far as the database keeps them")
    } else {
      right("database", place)
    }
    clock(health)
    if health.isSuperuser {
      warning(
        "user", "\(health.user) is a superuser",
        "let runners connect as a user of their own: create role mailer login; grant salvo_runner to mailer")
    }
    return health
  }

  private mutating func clock(_ health: DatabaseHealth) {
    let skew = max(0, abs(health.clockSkew) - health.clockUncertainty)
    let words = "this machine's is \(Self.seconds(skew)) \(health.clockSkew > 0 ? "behind" : "ahead of") the database's"
    let advice = "set both by NTP: expiries and authorizations are dated by them"
    if skew >= Self.skew.wrong {
      wrong("clock", words, advice, .configuration)
    } else if skew >= Self.skew.warning {
      warning("clock", words, advice)
    } else {
      right("clock", "within \(Self.seconds(Self.skew.warning)) of the database's")
    }
  }

  private mutating func schema(_ database: Database) async -> Bool {
    do { try await Migrator(database).check() } catch {
      wrong("schema", error)
      return false
    }
    right("schema", "is this version's")
    return true
  }

  private mutating func rights(_ database: Database, _ health: DatabaseHealth) async {
    do {
      let rights = try await HealthReader(database).rights()
      if !rights.missingRoles.isEmpty {
        wrong(
          "roles", "there is no role \(rights.missingRoles.joined(separator: ", "))",
          "make it as 0001_schema.sql does; roles belong to the cluster and aren't in a dump of the database",
          .configuration)
      }
      if !rights.missing.isEmpty {
        wrong(
          "rights", "this user lacks \(rights.missing.joined(separator: ", "))",
          "grant salvo_runner to it", .configuration)
      } else if rights.mayChangeResults, !health.isSuperuser {
        warning("rights", "this user may change or delete results", "send as a user that has salvo_runner alone")
      } else {
        right(
          "rights", "this user may do what a runner does\(rights.mayChangeResults ? "" : ", and can't change results")")
      }
    } catch {
      wrong("rights", error)
    }
  }

  // MARK: Channels

  /// - Returns: how many connections all channels together may open.
  private mutating func channels(_ database: Database, _ examination: ChannelExamination) async -> Int {
    var channels: [(Channel, Account)] = []
    do {
      for row in try await HealthReader(database).channels() {
        switch row {
        case .success(let channel): channels.append(channel)
        case .failure(let error): wrong("channels", error)
        }
      }
    } catch {
      wrong("channels", error)
      return 0
    }
    if channels.isEmpty {
      warning("channels", "no channel is enabled", "add one to salvo.channel, as SQL/README.md shows")
    }
    let found = await examination.examine(channels)
    for problem in found.problems { wrong("channels", problem) }
    if !found.ready.isEmpty {
      right(
        "channels", "settings, template and credential are right: \(found.ready.sorted().joined(separator: ", "))")
    }
    for endpoint in found.endpoints {
      let names = "for \(endpoint.channels.joined(separator: ", "))"
      if let problem = endpoint.problem {
        wrong("endpoint", "\(endpoint.address) \(names): \(problem)", nil, .laneStopped)
      } else {
        right("endpoint", "\(endpoint.address) \(names): there and trusted")
      }
    }
    return found.connections
  }

  // MARK: Machine

  private mutating func libcurl() {
    let found = LibcurlVersion.loaded
    let name = "libcurl \(found.version) with \(found.tls.isEmpty ? "no TLS" : found.tls)"
    let package = "install Debian's libcurl4, which has it"
    if found.tls.isEmpty || !found.hasHTTP2 {
      let lack = found.tls.isEmpty ? "TLS" : "HTTP/2"
      wrong("libcurl", "\(name) is built without \(lack)", package, .configuration)
    } else if !found.resolvesAsynchronously {
      warning("libcurl", "\(name) looks names up while everything waits", package)
    } else {
      right("libcurl", "\(name) and HTTP/2")
    }
  }

  private mutating func stateFolder() {
    guard let folder = settings.stateFolder else {
      warning(
        "state", "no state folder: results that the database can't be told would be unknown",
        "give --state DIR or SALVO_STATE")
      return
    }
    guard access(folder, W_OK | X_OK) == 0 else {
      let reason = String(cString: strerror(errno))
      wrong(
        "state", "\(folder) can't be written to: \(reason)", "make it, and let this user write to it", .cannotWrite)
      return
    }
    let waiting = FileFolder(folder).names(ending: ".spool").count
    if waiting > 0 {
      warning("state", "\(waiting) files of results wait in \(folder)", "run their launches again with this folder")
    } else {
      right("state", "\(folder) can be written to, and nothing waits in it")
    }
  }

  private mutating func openFiles(connections: Int) {
    let needed = Int64(connections) + Int64(process.connections) + Self.otherFiles
    let limit = OpenFiles.limit
    if limit < needed {
      wrong(
        "open files", "this process may open \(limit), all channels together need up to \(needed)",
        "raise it: ulimit -n 4096, or LimitNOFILE=4096 in the unit", .configuration)
    } else {
      right("open files", "\(limit == .max ? "no limit" : "up to \(limit)"), of which \(needed) are needed at most")
    }
  }

  // MARK: Words

  private mutating func right(_ check: String, _ text: String) {
    findings.append(Finding(level: .right, check: check, text: text, advice: nil, code: 0))
  }

  private mutating func warning(_ check: String, _ text: String, _ advice: String) {
    findings.append(Finding(level: .warning, check: check, text: text, advice: advice, code: 0))
  }

  private mutating func wrong(_ check: String, _ text: String, _ advice: String?, _ code: RunError.Code) {
    findings.append(Finding(level: .wrong, check: check, text: text, advice: advice, code: code.rawValue))
  }

  /// What is thrown says what to do itself.
  private mutating func wrong(_ check: String, _ error: any Error) {
    let failure = Failure(error)
    findings.append(Finding(level: .wrong, check: check, text: failure.text, advice: nil, code: failure.exitCode))
  }

  private static func seconds(_ seconds: Double) -> String {
    let tenths = Int64((min(seconds, 1e12) * 10).rounded())
    return tenths % 10 == 0 ? "\(tenths / 10) s" : "\(tenths / 10).\(tenths % 10) s"
  }
}
