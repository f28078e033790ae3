import Foundation
import Testing

@Suite("salvo template")
struct TemplateCommandTests {
  /// Runs `salvo template check` on a text.
  private func check(_ template: String, provider: String) async throws -> (ended: Ended, file: String) {
    let file = FileManager.default.temporaryDirectory.appending(path: "salvo-template-\(UUID().uuidString).json")
    try Data(template.utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    return (try await Shell.run(Shell.salvo, ["template", "check", file.path, "--provider", provider]), file.path)
  }

  @Test("every built-in template that is shown is good as a channel's own")
  func builtIn() async throws {
    let list = try await Shell.run(Shell.salvo, ["template", "list"])
    #expect(list.code == 0)
    let providers = list.outLines.map { String($0.split(separator: "\t")[0]) }
    #expect(
      Set(providers).isSuperset(of: [
        "android-firebase", "ios-firebase", "ios-apns", "android-hms", "ios-hms", "android-rustore",
        "android-appmetrica", "ios-appmetrica",
      ]))
    for provider in providers {
      let shown = try await Shell.run(Shell.salvo, ["template", "show", provider])
      #expect(shown.code == 0)
      let (ended, file) = try await check(shown.out, provider: provider)
      #expect(ended.code == 0, "\(ended.out)")
      #expect(ended.outLines.count == 1)
      #expect(ended.out.hasPrefix("\(file): good for \(provider); "))
      #expect(ended.out.contains("custom data has its place"))
    }
  }

  private static let fcm = #"{"message":{"token":"{{.SubscriptionID}}","android":{"data":{"t":"{{.Title}}"@}}}}"#

  @Test(
    "says what the provider would refuse, with line and column",
    arguments: [
      ("android-firebase", #"{"message":{"token":"{{.SubscripionID}}"}}"#, 1, 24, "did you mean .SubscriptionID?"),
      ("android-firebase", #"{"message":{"tokn":"{{.SubscriptionID}}"}}"#, 1, 2, "takes the token as message.token"),
      ("android-firebase", "{\n\"message\":{\"token\":\"x\"}}", 2, 12, "takes the token as message.token"),
      ("android-hms", #"{"message":{"token":"{{.SubscriptionID}}"}}"#, 1, 13, "takes the token as message.token[]"),
      (
        "android-appmetrica",
        #"{"push_batch_request":{"batch":[{"messages":{},"devices":[{"id_values":["x"]}]}]}}"#, 1, 73,
        "devices[].id_values[]"
      ),
      (
        "android-firebase", fcm.replacing("@", with: ",\n \"n\":{{len .Title}}"), 2, 2,
        "message.android.data.n is a number, android-firebase takes only texts there"
      ),
      (
        "android-rustore", #"{"message":{"token":"{{.SubscriptionID}}","data":{"o":{"a":1}}}}"#, 1, 51,
        "message.data.o is an object"
      ),
      (
        "ios-firebase", #"{"message":{"token":"{{.SubscriptionID}}","data":"{{.Title}}"}}"#, 1, 43,
        "message.data is text, an object of texts was expected"
      ),
      (
        "android-firebase", fcm.replacing("@", with: #","b":[{{range .Actions}}"{{.Label}}",{{end}}]"#), 1, 114,
        "a comma with nothing behind it"
      ),
      ("android-firebase", fcm.replacing("@", with: #","{{.Title}}":"x""#), 1, 80, "a key must be written out"),
      (
        "android-firebase", fcm.replacing("@", with: #","b":"{{(index .Actions 0).Label}}""#), 1, 87,
        "index 0 is out of range: the list has 0 (with 0 buttons)"
      ),
      ("android-firebase", fcm.replacing("@", with: #","t":"x""#), 1, 79, "the key \"t\" is there twice"),
      (
        "ios-apns", #"{"aps":{},"x":""# + String(repeating: "x", count: 4100) + #""}"#, 1, 1,
        "the plain message takes 4117 bytes, ios-apns takes 4096 at most"
      ),
    ])
  func refusals(provider: String, template: String, line: Int, column: Int, message: String) async throws {
    let (ended, file) = try await check(template, provider: provider)
    #expect(ended.code == 65)
    #expect(ended.out.hasPrefix("\(file), line \(line), column \(column): "), "\(ended.out)")
    #expect(ended.out.contains(message), "\(ended.out)")
  }

  @Test("a template with no room for custom data is good, and says so")
  func noCustomData() async throws {
    let (ended, _) = try await check(#"{"message":{"token":"{{.SubscriptionID}}"}}"#, provider: "android-firebase")
    #expect(ended.code == 0)
    #expect(ended.out.contains("takes 36 of 4096 bytes, custom data has no place"), "\(ended.out)")
  }

  @Test("usage: an unknown provider, no provider, a profile that has no template, a file that isn't there")
  func usage() async throws {
    let unknown = try await Shell.run(Shell.salvo, ["template", "show", "android-nokia"])
    #expect(unknown.code == 64)
    #expect(unknown.err.contains("there is no provider \"android-nokia\"; there are android-firebase"))
    #expect(try await Shell.run(Shell.salvo, ["template", "check", "/dev/null"]).code == 64)
    #expect(try await Shell.run(Shell.salvo, ["template", "show", "ios-apns", "--profile", "custom"]).code == 64)
    let missing = try await Shell.run(
      Shell.salvo, ["template", "check", "/nowhere/t.json", "--provider", "ios-apns"])
    #expect(missing.code == 66)
  }
}
