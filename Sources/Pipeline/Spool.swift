import Base
import Campaign
import Glibc
import Store

/// Results that could not be written because the database was away when the runner had to leave: a file a window, JSON
/// lines, taken in as late evidence by the next run with the same folder.
struct Spool: Sendable {
  static let ending = ".spool"
  /// A window of 5,000 messages is a megabyte and a half.
  static let largest = 64 << 20

  private let folder: FileFolder?

  /// - Parameter folder: nil: nothing is kept.
  init(folder: String?) { self.folder = folder.map(FileFolder.init) }

  // MARK: Keep

  /// - Returns: whether they are kept.
  func keep(_ testimony: Testimony, _ log: Log) -> Bool {
    guard let folder else {
      log.error(
        "the results of \(testimony.rows.count) messages can't be written: they will be unknown; with --state DIR they"
          + " would be kept in a file")
      return false
    }
    let random = String(UInt64.random(in: .min ... .max), radix: 16)
    let name = "launch-\(testimony.launchID)-\(getpid())-\(random)\(Self.ending)"
    do {
      try folder.write(Self.encode(testimony), to: name)
      log.warning("the results of \(testimony.rows.count) messages wait in \(folder.path)/\(name) for the next run")
      return true
    } catch {
      log.error("the results of \(testimony.rows.count) messages can't be kept, they will be unknown: \(error)")
      return false
    }
  }

  // MARK: Take in

  /// Hands every file to the database; what can't be taken now stays.
  func takeIn(by windows: WindowStore, _ log: Log) async {
    guard let folder else { return }
    for name in folder.names(ending: Self.ending) {
      do {
        let bytes = try FileReader.read("\(folder.path)/\(name)", limit: Self.largest)
        guard let testimony = Self.decode(bytes) else {
          log.error("\(folder.path)/\(name) can't be read as results; it stays where it is")
          continue
        }
        let settled = try await windows.testify(testimony)
        try folder.remove(name)
        log.info("took in \(name): \(testimony.rows.count) results, \(settled) unknown messages settled")
      } catch {
        log.error("\(folder.path)/\(name) can't be taken in: \(error)")
      }
    }
  }

  // MARK: Lines

  static func encode(_ testimony: Testimony) -> [UInt8] {
    var head = JSONObject()
    head.set("launch", .number("\(testimony.launchID)"))
    head.set("channel", .number("\(testimony.channelID)"))
    head.set("token", .number("\(testimony.token)"))
    head.set("attempt", .number("\(testimony.attempt)"))
    var lines = [JSON.object(head).text]
    for row in testimony.rows {
      var line = JSONObject()
      line.set("profile", .number("\(row.key.profileID)"))
      line.set("subscription", .number("\(row.key.subscriptionID)"))
      line.set("outcome", .number("\(row.outcome.rawValue)"))
      line.set("requests", .number("\(row.requests)"))
      if let status = row.httpStatus { line.set("http_status", .number("\(status)")) }
      if let reason = row.reason { line.set("reason", .string(reason)) }
      if let code = row.providerCode { line.set("provider_code", .string(code)) }
      if let id = row.providerMessageID { line.set("provider_message_id", .string(id)) }
      lines.append(JSON.object(line).text)
    }
    return Array((lines.joined(separator: "\n") + "\n").utf8)
  }

  /// Nil when a line isn't what `encode` writes.
  static func decode(_ bytes: [UInt8]) -> Testimony? {
    var lines = bytes.split(separator: 0x0A).map { (try? JSONScanner.parse(Array($0)))?.object }[...]
    guard let head = lines.popFirst() ?? nil, let launch = head["launch"]?.int, let channel = head["channel"]?.int,
      let token = head["token"]?.int, let attempt = head["attempt"]?.int.flatMap(Int16.init(exactly:))
    else { return nil }
    var rows: [DeliveryRow] = []
    for line in lines {
      guard let line, let profile = line["profile"]?.int, let subscription = line["subscription"]?.int,
        let outcome = line["outcome"]?.int.flatMap(Int16.init(exactly:)).flatMap(Outcome.init(rawValue:)),
        let requests = line["requests"]?.int.flatMap(Int16.init(exactly:))
      else { return nil }
      rows.append(
        DeliveryRow(
          key: RecipientKey(profileID: profile, subscriptionID: subscription), outcome: outcome,
          reason: line["reason"]?.string, requests: requests,
          httpStatus: line["http_status"]?.int.flatMap(Int16.init(exactly:)),
          providerCode: line["provider_code"]?.string, providerMessageID: line["provider_message_id"]?.string))
    }
    return Testimony(
      launchID: launch, channelID: channel, token: token, attempt: attempt, rows: rows, source: "spool")
  }
}
