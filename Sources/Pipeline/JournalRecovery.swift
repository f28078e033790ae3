import Base
import Campaign
import Providers
import Store

/// Accounts for windows that runners with the same state folder left open when they died, by their journals. Ownership
/// is the token's as ever: while nobody took the chunk over, the window is closed in the dead runner's name, with what
/// it knew; afterwards its word is late evidence.
struct JournalRecovery {
  /// 64 MiB: a file's largest size and its last windows.
  private static let readLimit = 64 << 20

  let launch: Launch
  let channels: [Channel]
  let windows: WindowStore
  let chunks: ChunkStore
  let log: Log
  /// A message's id from its key; nil where its channel isn't ready to send.
  let uid: (_ channel: Int64, RecipientKey) -> String?

  /// What can't be taken in now stays for the next run.
  func takeIn(from path: String?) async {
    guard let path else { return }
    let folder = FileFolder(path)
    for ending in [Journal.ending, Journal.tornEnding] {
      for name in folder.names(ending: ending) where name.hasPrefix(Journal.prefix(of: launch.id)) {
        do {
          guard let file = try AppendFile(orphanAt: "\(path)/\(name)") else { continue }
          // Until its windows are accounted for, no other run does the same.
          defer { withExtendedLifetime(file) {} }
          let bytes = try FileReader.read(file.path, limit: Self.readLimit)
          try await account(JournalReplay(bytes, isWhole: ending == Journal.ending), name)
          try folder.remove(name)
        } catch {
          log.error("\(path)/\(name) can't be taken in: \(error)")
        }
      }
    }
  }

  private func account(_ replay: JournalReplay, _ name: String) async throws {
    guard replay.launch == launch.id, replay.startedAt == launch.startedAt || replay.open.isEmpty else {
      throw RunError(.configuration, "it is about another launch \(launch.id), of another database; remove it")
    }
    for entry in replay.open {
      let window = entry.window
      guard let channel = channels.first(where: { $0.id == window.channelID }) else { continue }
      let result = entry.result(
        policy: RetryPolicy(launch: launch, channel: channel, attempt: Int(window.attempt)),
        uid: { uid(channel.id, $0) })
      let lease = ChunkLease(
        orphanOf: launch.id, channelID: channel.id, chunkNo: window.chunkNo, attempt: window.attempt,
        token: window.token, cursor: window.cursor)
      let place = "window \(window.windowNo) of chunk \(window.chunkNo) of lane \(channel.name)"
      let known = result.rows.count { $0.outcome.isFinal && $0.outcome != .unknown } + result.accepted.count
      let unknown = result.rows.count { $0.outcome == .unknown }

      if replay.provesAbsence {
        let open = OpenWindow(orphan: window.windowNo, id: window.id)
        if try await windows.close(open, of: lease, result: result) != .fenced {
          try await chunks.release(lease)
          log.warning(
            "a runner that died here left \(place) open; by its journal \(known) messages are accounted for and"
              + " \(unknown) are unknown; the other \(window.keys.count - known - unknown) were not handed over")
          continue
        }
        var testimony = Testimony(of: window.keys, under: lease, result: result)
        testimony.source = "journal"
        let settled = try await windows.testify(testimony)
        log.warning(
          "another runner took \(place) over when its runner died; the journal settles \(settled) unknown messages")
      } else {
        // What it doesn't tell may have happened too: the answers alone count, for whoever takes the chunk over.
        let told = result.rows.filter { $0.outcome.isFinal && $0.outcome != .unknown }
        let settled = try await windows.testify(
          Testimony(
            launchID: launch.id, channelID: channel.id, token: window.token, attempt: window.attempt, rows: told,
            source: "journal"))
        log.warning(
          "\(name) lacks its end: of \(place) it tells of \(told.count) answers, which settle \(settled) unknown"
            + " messages so far")
      }
    }
  }
}
