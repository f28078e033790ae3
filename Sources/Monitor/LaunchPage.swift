import Base
import Campaign
import Report
import Store

/// The page of launches: complete as it comes, then kept up to date by its script from `/launches.json`.
///
/// Style and script stand in the page and carry a nonce; nothing else may run, nothing is loaded from elsewhere
/// (Content-Security-Policy). Bars are SVG, because a `style` attribute would need a weaker policy.
struct LaunchPage {
  let launches: [LaunchStatus]
  /// Why the numbers aren't of this moment.
  let problem: String?
  /// Whether there is a token that commands can be given with.
  let takesCommands: Bool

  var response: HTTPResponse {
    let nonce = Hex.encode((0..<16).map { _ in UInt8.random(in: .min ... .max) })
    return HTTPResponse(
      problem == nil || !launches.isEmpty ? 200 : 503, type: "text/html; charset=utf-8", body: Array(html(nonce).utf8),
      headers: [
        "Content-Security-Policy": "default-src 'none'; style-src 'nonce-\(nonce)'; script-src 'nonce-\(nonce)';"
          + " connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
      ])
  }

  private func html(_ nonce: String) -> String {
    """
    <!doctype html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>Salvo launches</title>
    <link rel="icon" href="data:,">
    <style nonce="\(nonce)">
    \(String(decoding: PackageResources.page_css, as: UTF8.self))</style>
    </head>
    <body>
    <header>
    <h1>Salvo</h1>
    <p class="live" id="live" role="status">\(problem == nil ? "up to date" : "not up to date")</p>
    \(takesCommands ? Self.unlock : "<p class=\"rights\">read-only</p>")
    </header>
    <p class="problem" id="problem"\(problem == nil ? " hidden" : "")>\(HTMLText.escaped(problem ?? ""))</p>
    <main data-revision="\(LaunchNumbers.revision(of: launches))">
    \(launches.isEmpty ? Self.nothing : launches.map(card).joined(separator: "\n"))
    </main>
    <noscript><p class="problem">Without JavaScript these numbers stay as they are: reload the page.</p></noscript>
    <script nonce="\(nonce)">
    \(String(decoding: PackageResources.page_js, as: UTF8.self))</script>
    </body>
    </html>

    """
  }

  private static let nothing = """
    <p class="nothing">No launch yet. <code>salvo launch create</code> makes one.</p>
    """

  private static let unlock = """
    <form id="unlock">
    <label for="token">Token for commands</label>
    <input id="token" type="password" autocomplete="off" spellcheck="false">
    <button type="submit">Unlock</button>
    </form>
    """

  // MARK: A launch

  private func card(_ launch: LaunchStatus) -> String {
    let total = launch.total
    let place = "\(launch.id)"
    let lanes =
      launch.lanes.isEmpty
      ? "<p class=\"nothing\">Not planned yet.</p>"
      : """
      <details id="lanes-\(launch.id)"\(launch.isOver ? "" : " open")>
      <summary>\(launch.lanes.count) \(launch.lanes.count == 1 ? "lane" : "lanes")</summary>
      \(launch.lanes.map { lane($0, of: launch) }.joined(separator: "\n"))
      </details>
      """
    return """
      <article class="launch" id="launch-\(launch.id)">
      <div class="head">
      <h2><span class="id">\(launch.id)</span> \(HTMLText.escaped(launch.campaignName))</h2>
      \(Self.badge(launch.state.rawValue))
      \(commands("/launches/\(launch.id)", Self.words(launch.state), "launch \(launch.id)"))
      </div>
      \(Self.bar(total, place))
      \(Self.sentence(total, launch.rate, launch.secondsLeft, place, isRunning: launch.state == .running))
      \(Self.figures(total, place))
      \(lanes)
      </article>
      """
  }

  private func lane(_ lane: LaunchStatus.Lane, of launch: LaunchStatus) -> String {
    let place = "\(launch.id).\(lane.progress.channelID)"
    let name = HTMLText.escaped(lane.progress.channelName)
    let path = "/launches/\(launch.id)/lanes/\(lane.progress.channelID)"
    // Its row says so when the launch ends; nothing of it is left to hold before.
    let isThrough = lane.progress.remaining == 0 && lane.record.state == .running
    let isHeld = launch.state != .running && lane.record.state == .running
    let state = isThrough ? LaneRecord.State.done.rawValue : isHeld ? launch.state.rawValue : lane.record.state.rawValue
    let words = launch.state != .running || isThrough ? [] : Self.words(lane.record)
    let reason = lane.record.stopReason.map { "<p class=\"reason\">\(HTMLText.escaped($0))</p>" } ?? ""
    return """
      <section class="lane">
      <div class="head">
      <h3>\(name) <span class="provider">\(HTMLText.escaped(lane.progress.provider))</span></h3>
      \(Self.badge(state))
      \(commands(path, words, "the lane \(lane.progress.channelName)"))
      </div>
      \(Self.bar(lane.progress, place))
      \(Self.sentence(lane.progress, lane.rate, lane.secondsLeft, place, isRunning: launch.state == .running))
      \(Self.figures(lane.progress, place))
      \(reason)
      </section>
      """
  }

  // MARK: Commands

  private static func words(_ state: LaunchState) -> [LaunchCommands.Word] {
    switch state {
    case .running: [.pause, .cancel]
    case .paused: [.resume, .cancel]
    case .draft, .scheduled, .planning, .needsDecision: [.cancel]
    case .finished, .cancelled, .missed, .failed: []
    }
  }

  private static func words(_ lane: LaneRecord) -> [LaunchCommands.Word] {
    switch lane.state {
    case .running: [.pause, .cancel]
    case .paused: [.resume, .cancel]
    case .stopped: [.resume]
    case .done: []
    }
  }

  /// Hidden until the token is entered.
  private func commands(_ path: String, _ words: [LaunchCommands.Word], _ what: String) -> String {
    guard takesCommands, !words.isEmpty else { return "" }
    let buttons = words.map { word in
      "<button type=\"button\" hidden data-path=\"\(path)/\(word.rawValue)\" data-what=\"\(HTMLText.escaped(what))\""
        + " class=\"\(word.rawValue)\">\(Self.title(word))</button>"
    }
    return "<div class=\"commands\">\(buttons.joined())</div>"
  }

  private static func title(_ word: LaunchCommands.Word) -> String {
    switch word {
    case .pause: "Pause"
    case .resume: "Resume"
    case .cancel: "Cancel"
    }
  }

  // MARK: Numbers

  private static func badge(_ state: String) -> String {
    "<span class=\"badge \(state)\">\(state.replacing("_", with: " "))</span>"
  }

  /// The parts of a bar, in its order; what is left of it remains.
  private static func parts(_ progress: LaneProgress) -> [(name: String, count: Int64)] {
    [
      ("sent", progress.sent), ("failed", progress.failed), ("skipped", progress.skipped),
      ("unknown", progress.unknown),
    ]
  }

  private static func bar(_ progress: LaneProgress, _ place: String) -> String {
    var at = 0.0
    let scale = 1_000 / Double(max(progress.planned, 1))
    let rects = parts(progress).map { name, count in
      defer { at += Double(count) * scale }
      let width = Figures.decimal(Double(count) * scale, 1)
      return "<rect class=\"\(name)\" x=\"\(Figures.decimal(at, 1))\" y=\"0\" width=\"\(width)\" height=\"8\"/>"
    }
    let spoken =
      "\(Figures.grouped(progress.accounted)) of \(Figures.grouped(progress.planned)) messages have their outcome"
    return """
      <svg class="bar" data-bar="\(place)" viewBox="0 0 1000 8" preserveAspectRatio="none" role="img" \
      aria-label="\(spoken)">\(rects.joined())</svg>
      """
  }

  private static func sentence(
    _ progress: LaneProgress, _ rate: Double, _ secondsLeft: Double?, _ place: String, isRunning: Bool
  ) -> String {
    let left = isRunning ? secondsLeft.map { duration($0) + " left" } ?? "" : ""
    let speed = isRunning && rate > 0 && progress.remaining > 0 ? Figures.grouped(Int64(rate.rounded())) + "/s" : ""
    return """
      <p class="sentence"><b data-n="\(place).accounted">\(Figures.grouped(progress.accounted))</b> of \
      <span data-n="\(place).planned">\(Figures.grouped(progress.planned))</span>
      <span class="rate" data-rate="\(place)">\(speed)</span>
      <span class="left" data-left="\(place)">\(left)</span></p>
      """
  }

  private static func figures(_ progress: LaneProgress, _ place: String) -> String {
    let cells = progress.counts.dropFirst().map { name, count in
      """
      <div class="\(name)\(count == 0 ? " zero" : "")"><dt>\(name == "token_retired" ? "retired" : name)</dt>\
      <dd data-n="\(place).\(name)">\(Figures.grouped(count))</dd></div>
      """
    }
    return "<dl>\(cells.joined())</dl>"
  }

  /// `42 s`, `3 min`, `2 h 5 min`, as the script writes it.
  static func duration(_ seconds: Double) -> String {
    guard seconds < 360_000 else { return "days" }
    let whole = Int64(seconds.rounded(.up))
    if whole < 60 { return "\(whole) s" }
    if whole < 3_600 { return "\((whole + 59) / 60) min" }
    return "\(whole / 3_600) h \(whole % 3_600 / 60) min"
  }
}
