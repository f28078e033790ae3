import Base

/// Tells people which lanes stopped, and why: one line a cause. Lanes that stop for the same cause within a moment of
/// each other, as all do when the certificate file is the wrong one, share it.
struct StopReport {
  /// How long a line waits for further lanes, in seconds.
  static let patience = 1.0

  struct Line: Equatable {
    let isError: Bool
    let text: String
  }

  private struct Entry {
    let stop: LaneStop
    let since: BootInstant
    var lanes: [(channel: Int64, name: String)]
  }

  private var entries: [Entry] = []

  /// - Parameter name: the channel's.
  mutating func laneStopped(_ channel: Int64, _ name: String, _ stop: LaneStop, at now: BootInstant) {
    // The run ends with the error itself.
    if stop.kind == .failure { return }
    let name = stop.place.map { "\(name) (\($0))" } ?? name
    if let at = entries.firstIndex(where: { $0.stop.kind == stop.kind && $0.stop.cause == stop.cause }) {
      entries[at].lanes.append((channel, name))
    } else {
      entries.append(Entry(stop: stop, since: now, lanes: [(channel, name)]))
    }
  }

  /// What has waited long enough.
  mutating func due(at now: BootInstant) -> [Line] {
    let due = entries.filter { $0.since.advanced(seconds: Self.patience) <= now }
    entries.removeAll { $0.since.advanced(seconds: Self.patience) <= now }
    return due.map(Self.line)
  }

  /// What is left when every lane has ended.
  mutating func rest() -> [Line] {
    defer { entries.removeAll() }
    return entries.map(Self.line)
  }

  private static func line(_ entry: Entry) -> Line {
    let names = entry.lanes.sorted { $0.channel < $1.channel }.map(\.name)
    let lanes =
      names.count == 1
      ? "lane \(names[0])" : "lanes \(names.dropLast().joined(separator: ", ")) and \(names[names.count - 1])"
    let advice = entry.stop.isForPeople ? "; once that is right, run the launch again" : ""
    return Line(isError: entry.stop.isForPeople, text: "\(lanes) stopped: \(entry.stop.cause)\(advice)")
  }
}
