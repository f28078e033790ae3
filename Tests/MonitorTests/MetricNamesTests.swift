import Foundation
import Testing

/// The names that README, dashboard and alerts speak of are those that the sources count under.
@Suite struct MetricNamesTests {
  private let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  private func names(_ path: String, before: String = "", after: String = "") throws -> Set<String> {
    let text = try String(contentsOf: root.appending(path: path), encoding: .utf8)
    let pattern = try Regex("\(before)(salvo_[a-z_]+)\(after)", as: (Substring, Substring).self)
    return Set(text.matches(of: pattern).map { String($0.output.1) })
  }

  private func counted() throws -> Set<String> {
    try [
      "Pipeline/LaneMetrics.swift", "Monitor/Router.swift", "Monitor/ProcessMetrics.swift", "Salvo/Monitoring.swift",
    ].reduce(into: Set<String>()) { $0.formUnion(try names("Sources/" + $1, before: "\"", after: "\"")) }
  }

  @Test("the README has every name and no other")
  func readme() throws {
    let counted = try counted()
    #expect(counted.count == 23)
    #expect(try names("Sources/Monitor/README.md", before: "`", after: "`") == counted)
  }

  @Test(
    "dashboard and alerts ask for names that exist",
    arguments: ["Docker/grafana/dashboards/salvo.json", "Docker/prometheus/alerts.yml"])
  func watchers(file: String) throws {
    if file.hasSuffix(".json") {
      _ = try JSONSerialization.jsonObject(with: Data(contentsOf: root.appending(path: file)))
    }
    let counted = try counted()
    let asked = try names(file)
    #expect(asked.count > 5)
    for name in asked {
      let family = name.replacing(/_(bucket|sum|count)$/, with: "")
      #expect(counted.contains(family), "\(name)")
    }
  }
}
