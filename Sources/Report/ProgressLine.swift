import Base
import Campaign
public import Store

/// The line of one lane while it is sent: name, bar, share, sent, failed by reason, rate, time left, breaker. What
/// doesn't fit is left out, the least needed first, so that it is always one row of the terminal.
public struct ProgressLine {
  /// Cells of the bar, on terminals of so many cells and more: all lanes have one or none has.
  static let barWidth = 20
  static let widthForBar = 80

  private let lane: LaunchStatus.Lane
  private let now: EpochMilliseconds

  /// - Parameters:
  ///   - lane: as its rows say.
  ///   - now: the moment they were read, by the database's clock.
  init(_ lane: LaunchStatus.Lane, at now: EpochMilliseconds) {
    self.lane = lane
    self.now = now
  }

  /// All lanes of a launch, one below the other; a lane too many for the terminal's height is counted in a last line.
  /// - Parameters:
  ///   - width: cells of the terminal.
  ///   - height: its rows.
  ///   - isUTF8: whether it shows more than ASCII.
  public static func lines(
    _ status: LaunchStatus, width: Int, height: Int, isUTF8: Bool, paint: Paint
  ) -> [String] {
    let room = max(1, height - 2)
    let shown = status.lanes.count > room ? status.lanes.prefix(room - 1) : status.lanes[...]
    let name = min(shown.map { $0.progress.channelName.onOneLine.columns }.max() ?? 0, max(8, width / 4))
    var lines = shown.map {
      ProgressLine($0, at: status.at).text(width: width, nameWidth: name, isUTF8: isUTF8, paint: paint)
    }
    let left = status.lanes.count - shown.count
    if left > 0 { lines.append("and \(left) more lanes".fitted(to: width - 1)) }
    return lines
  }

  /// A piece of the line: `rank` says what is left out first, the highest.
  private struct Piece {
    let rank: Int
    let text: String
    var colour: Paint.Colour?
    var bar: Int?
  }

  func text(width: Int, nameWidth: Int, isUTF8: Bool, paint: Paint) -> String {
    // The last cell stays empty: some terminals begin a new row as soon as it is written.
    let room = width - 1
    var pieces = [Piece(rank: 0, text: lane.progress.channelName.onOneLine.fitted(to: nameWidth).padded(to: nameWidth))]
    if width >= Self.widthForBar { pieces.append(bar(isUTF8)) }
    pieces += [share, sent] + failed + others + [speed, left, state].compactMap { $0 } + [breaker]
    func used(_ pieces: [Piece]) -> Int { pieces.reduce(-2) { $0 + $1.text.columns + 2 } }
    while pieces.count > 1, used(pieces) > room, let worst = pieces.map(\.rank).max(), worst > 0 {
      pieces.removeAll { $0.rank == worst }
    }
    guard used(pieces) <= room else { return pieces[0].text.fitted(to: room) }
    return pieces.map { piece in
      if let done = piece.bar {
        let cut = piece.text.index(piece.text.startIndex, offsetBy: done)
        return paint(String(piece.text[..<cut]), .green) + paint(String(piece.text[cut...]), .grey)
      }
      return piece.colour.map { paint(piece.text, $0) } ?? piece.text
    }.joined(separator: "  ")
  }

  // MARK: Pieces

  private func bar(_ isUTF8: Bool) -> Piece {
    let (accounted, planned) = (lane.progress.accounted, lane.progress.planned)
    let share = Int(Figures.percent(accounted, of: planned))
    let done = min(Self.barWidth, max(0, share * Self.barWidth / 100))
    let (full, empty) = isUTF8 ? ("━", "─") : ("#", "-")
    return Piece(
      rank: 1,
      text: String(repeating: full, count: done) + String(repeating: empty, count: Self.barWidth - done), bar: done)
  }

  private var share: Piece {
    let text = "\(Figures.percent(lane.progress.accounted, of: lane.progress.planned))%"
    return Piece(rank: 1, text: String(repeating: " ", count: max(0, 4 - text.count)) + text)
  }

  private var sent: Piece { Piece(rank: 2, text: "sent \(lane.progress.sent)") }

  /// `failed 30` and why, the two most frequent reasons.
  private var failed: [Piece] {
    guard lane.progress.failed > 0 else { return [] }
    let count = Piece(rank: 3, text: "failed \(lane.progress.failed)", colour: .red)
    let reasons = lane.reasons.filter { [.tokenRetired, .rejected, .expired].contains($0.outcome) }.prefix(2)
    guard !reasons.isEmpty else { return [count] }
    let words = reasons.map { "\($0.reason.isEmpty ? $0.outcome.name : $0.reason.onOneLine) \($0.messages)" }
    return [count, Piece(rank: 9, text: "(\(words.joined(separator: ", ")))", colour: .grey)]
  }

  private var others: [Piece] {
    var pieces: [Piece] = []
    if lane.progress.unknown > 0 {
      pieces.append(Piece(rank: 4, text: "unknown \(lane.progress.unknown)", colour: .yellow))
    }
    if lane.progress.skipped > 0 { pieces.append(Piece(rank: 8, text: "skipped \(lane.progress.skipped)")) }
    if lane.awaited > 0 { pieces.append(Piece(rank: 7, text: "awaited \(lane.awaited)")) }
    return pieces
  }

  private var speed: Piece? {
    lane.rate > 0 && lane.progress.remaining > 0 ? Piece(rank: 6, text: "\(Figures.rate(lane.rate))/s") : nil
  }

  private var left: Piece? {
    lane.secondsLeft.map { Piece(rank: 4, text: "\(Figures.duration($0)) left") }
  }

  /// What people should know about the lane beside its numbers; nil while it simply runs.
  private var state: Piece? {
    switch lane.record.state {
    case .done: return Piece(rank: 3, text: "done", colour: .green)
    case .paused: return Piece(rank: 1, text: "paused", colour: .yellow)
    case .stopped:
      let words = lane.record.stopReason.map { "stopped: \($0.onOneLine)" } ?? "stopped"
      return Piece(rank: 1, text: words.fitted(to: 40), colour: .red)
    case .running:
      guard let until = lane.record.coolUntil, until > now else { return nil }
      let seconds = Double(until.value - now.value) / 1000
      return Piece(rank: 1, text: "waits \(Figures.duration(seconds))", colour: .yellow)
    }
  }

  /// The share of dead tokens that the breaker knows of.
  private var breaker: Piece {
    let share = Figures.percent(lane.record.dead, of: lane.record.verdicts)
    return Piece(rank: 7, text: "dead \(share)%", colour: .grey)
  }
}
