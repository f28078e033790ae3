import Base
import Campaign
import Testing

@testable import Rendering

@Suite("Go's text/template")
struct GoSemanticsTests {
  private static let rows = GoSemantics.rows + GoSemantics.newer

  @Test("the table is as long as was promised")
  func count() {
    #expect(GoSemantics.rows.count >= 80)
  }

  @Test("a content text that names the recipient's values gives what Go gives", arguments: rows)
  func contentText(row: GoSemantics.Row) throws {
    var bench = Bench(#"{"t":"{{.Title}}"}"#)
    bench.content.title = row.template
    bench.recipients = [.init(variables: row.data)]
    #expect(try bench.json()["t"] == .string(row.result))
  }

  @Test("a payload template that names the launch's values gives what Go gives", arguments: rows)
  func payload(row: GoSemantics.Row) throws {
    var bench = Bench(#"{"t":""# + row.template.replacing(".Vars", with: ".Data") + #""}"#)
    bench.content.data = try #require(JSONScanner.parse(row.data).object)
    #expect(try bench.json()["t"] == .string(row.result))
  }

  @Test("the same within JSON in a string", arguments: rows)
  func nested(row: GoSemantics.Row) throws {
    var bench = Bench(#"{"t":"{\"u\":\""# + row.template.replacing(".Vars", with: ".Data") + #"\"}"}"#)
    bench.content.data = try #require(JSONScanner.parse(row.data).object)
    #expect(try bench.json()["t"]?.inside()["u"] == .string(row.result))
  }

  @Test("what ends with an error in Go rejects the one message", arguments: GoSemantics.errors)
  func errors(row: (template: String, data: String, message: String)) throws {
    var bench = Bench(#"{"t":"{{.Title}}"}"#)
    // Something of the recipient's, or the text would be the launch's.
    bench.content.title = row.template + "{{if .Vars.q}}{{end}}"
    bench.recipients = [.init(variables: row.data)]
    let rejections = try bench.slice().rejections
    #expect(rejections.map(\.reason) == ["wrong_value"])
    #expect(rejections[0].detail.contains(row.message), "\(rejections[0].detail)")
    #expect(rejections[0].detail.hasPrefix("content.title, line 1, column "))
  }

  @Test("and refuses the launch whose own values they are", arguments: GoSemantics.errors)
  func launchErrors(row: (template: String, data: String, message: String)) throws {
    var bench = Bench(#"{"t":"x"# + row.template.replacing(".Vars", with: ".Data") + #""}"#)
    bench.content.data = try #require(JSONScanner.parse(row.data).object)
    let error = try #require(bench.refusal())
    #expect(error.message.contains(row.message), "\(error)")
    #expect(error.line == 1 && error.column >= 8)
  }
}
