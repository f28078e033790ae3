import Foundation
import Testing

extension Runs {
  /// What a person or a script meets before anything is sent.
  @Suite struct CommandLineTests {
    @Test("wrong words: 64, one line saying which and where help is")
    func wrongWords() async throws {
      let stack = try await Stack.shared()
      let cases: [([String], [String])] = [
        (["nonsense"], ["\"nonsense\"", "salvo --help"]),
        (["launch", "frobnicate"], ["\"launch frobnicate\"", "salvo launch --help"]),
        (["launch"], ["salvo launch --help"]),
        (["run"], ["LAUNCH", "salvo run --help"]),
        (["run", "1", "--frob"], ["--frob", "salvo run --help"]),
        (["run", "-5"], ["-5"]),
        (["run", "abc"], ["LAUNCH", "whole number", "\"abc\""]),
        (["run", "0"], ["LAUNCH", "\"0\""]),
        (["run", "99999999999999999999"], ["LAUNCH", "99999999999999999999"]),
        (["run", "1", "--memory", "0"], ["--memory", "1 to 4096"]),
        (["run", "1", "--memory"], ["--memory", "MIB"]),
        (["run", "1", "--memory", "1", "--memory", "2"], ["--memory", "twice"]),
        (["run", "1", "--json=yes"], ["--json", "no value"]),
        (["run", "1", "--log", "xml"], ["--log", "text or json", "\"xml\""]),
        (["migrate", "3"], ["salvo migrate", "3"]),
        (["launch", "create", "--content", "x.json"], ["--campaign"]),
        (["launch", "create", "--campaign", "1"], ["--content"]),
        (["launch", "list", "--limit", "0"], ["--limit", "1 to 10000"]),
        (["audience", "1", "--channel", "x"], ["--channel", "\"x\""]),
        (["decode", "TB/x"], ["--key"]),
      ]
      for (words, said) in cases { try await stack.trySalvo(words).expectOneLine(64, said) }
    }

    @Test("help goes to stdout with 0, also for a group of commands; without a word it goes to stderr with 64")
    func help() async throws {
      let stack = try await Stack.shared()
      let commands = ["migrate", "run", "launch create", "launch list", "audience", "decode"]
      for words in [["--help"], ["-h"], ["help"]] {
        let ended = try await stack.trySalvo(words)
        #expect(ended.code == 0 && ended.err == "")
        for command in commands { #expect(ended.out.contains("\n  \(command) "), "\(command): \(ended.out)") }
        for code in [0, 64, 65, 66, 69, 70, 75, 77, 78] { #expect(ended.out.contains("\n  \(code) "), "\(code)") }
      }
      let none = try await stack.trySalvo([])
      #expect(none.code == 64 && none.out == "")
      #expect(none.err.hasPrefix("salvo sends"))

      for command in commands {
        let ended = try await stack.trySalvo(command.split(separator: " ").map(String.init) + ["--help"])
        #expect(ended.code == 0 && ended.err == "")
        #expect(ended.out.hasPrefix("usage: salvo \(command)"), "\(ended.out)")
        for option in ["--help", "--log"] { #expect(ended.out.contains("\n  \(option) "), "\(ended.out)") }
        #expect(ended.out.contains("--database") == (command != "decode"))
        // As wide as a terminal, two to be sure.
        #expect(ended.outLines.allSatisfy { $0.count <= 100 }, "\(ended.out)")
      }
      let group = try await stack.trySalvo(["launch", "--help"])
      #expect(group.code == 0)
      #expect(group.out.contains("\n  launch create ") && group.out.contains("\n  launch list "))
      #expect(!group.out.contains("\n  migrate"))
    }

    @Test("content that can't be sent is refused when the launch is created: 65, the field named, no launch made")
    func content() async throws {
      let stack = try await Stack.shared()
      let account = try await stack.number("insert into salvo.account (name) values ('CLI') returning id")
      let campaign = try await stack.number(
        "insert into salvo.campaign (account_id, name) values (\(account), 'CLI') returning id")
      let file = "\(stack.folder)/content.json"
      func create(_ content: String, _ more: [String] = []) async throws -> Ended {
        try content.write(toFile: file, atomically: true, encoding: .utf8)
        return try await stack.trySalvo(["launch", "create", "--campaign", "\(campaign)", "--content", file] + more)
      }
      try await create(#"{"title": "x", "tittle": "y"}"#).expectOneLine(65, ["content.tittle", "title?"])
      try await create(#"{"title": "x", "badge": -1}"#).expectOneLine(65, ["content.badge", "0 to 999", "-1"])
      try await create(#"{"title": "x", "badge": "1"}"#).expectOneLine(65, ["content.badge", "number"])
      try await create(#"{"title": "x", "ttl": 2419201}"#).expectOneLine(65, ["content.ttl", "2419200", "2419201"])
      try await create("[]").expectOneLine(65, ["content", "object"])
      try await create("{\n\"title\": \"x\",\n}").expectOneLine(65, [file, "line 3, column 1"])
      try await create(#"{"title": "Hi {{.Profile.name"}"#).expectOneLine(65, ["content.title", "line 1, column 4"])
      try await create(#"{"title": "x", "buttons": [{"label": "{{.Nope}}", "link": "https://a.example"}]}"#)
        .expectOneLine(65, ["content.buttons[0].label", ".Nope"])
      let options = "\(stack.folder)/options.json"
      try #"{"tracking": "grup"}"#.write(toFile: options, atomically: true, encoding: .utf8)
      try await create(#"{"title": "x"}"#, ["--options", options]).expectOneLine(
        65, ["options.tracking", "group", "grup"])
      try await create(#"{"title": "x"}"#, ["--at", "soonish"]).expectOneLine(65, ["not_before", "soonish"])
      try await create(#"{"title": "x"}"#, ["--at", "2030-01-02", "--not-after", "2030-01-01"]).expectOneLine(
        65, ["not_after"])
      try await stack.trySalvo(["launch", "create", "--campaign", "999999", "--content", file]).expectOneLine(
        66, ["there is no campaign 999999"])
      try await stack.trySalvo(["launch", "create", "--campaign", "1", "--content", "/nonexistent"]).expectOneLine(
        66, ["/nonexistent", "No such file or directory"])
      #expect(try await stack.number("select count(*) from salvo.launch where campaign_id = \(campaign)") == 0)
    }

    @Test("launches are listed as a table with a header, or as JSON with times in UTC")
    func list() async throws {
      let stack = try await Stack.shared()
      let launch = try await TestLaunch.make(stack, [.firebase(3)])
      try await launch.run()
      try await stack.sql(
        """
        alter table salvo.launch disable trigger fixed;
        update salvo.launch set created_at = '2026-07-01 10:20:30.9+00' where id = \(launch.id);
        alter table salvo.launch enable trigger fixed;
        update salvo.campaign set name = E'Sale \\n of the "day"' where account_id = \(launch.account)
        """)
      let table = try await stack.trySalvo(["launch", "list", "--limit", "2"], ["TZ": "Europe/Berlin"])
      #expect(table.code == 0 && table.err == "")
      let lines = table.outLines
      try #require(lines.count >= 2)
      #expect(
        lines[0].split(separator: " ").map(String.init) == [
          "LAUNCH", "STATE", "PLANNED", "REMAINING", "CREATED", "CAMPAIGN",
        ])
      #expect(
        lines[1].split(separator: " ").map(String.init)
          == ["\(launch.id)", "finished", "3", "0", "2026-07-01", "12:20", "CEST", "Sale", "of", "the", "\"day\""])
      // Numbers end where their header ends, words begin where it begins.
      func end(_ text: String, _ word: String) -> String.Index? { text.range(of: word)?.upperBound }
      #expect(end(lines[0], "LAUNCH") == end(lines[1], "\(launch.id)"))
      #expect(lines[0].range(of: "CAMPAIGN")?.lowerBound == lines[1].range(of: "Sale")?.lowerBound)

      let json = try await stack.trySalvo(["launch", "list", "--limit", "1", "--json"], ["TZ": "Europe/Berlin"])
      #expect(
        json.out
          == #"{"launch":\#(launch.id),"state":"finished","campaign":"Sale \n of the \"day\"","planned":3,"#
          + #""remaining":0,"created_at":"2026-07-01T10:20:30Z"}"# + "\n")
    }

    @Test("with --log json every line on stderr is an object, a complaint about the words too; --json gives the counts")
    func json() async throws {
      let stack = try await Stack.shared()
      struct Line: Decodable {
        let level: String
        let msg: String
      }
      for words in [["run", "1", "--frob", "--log=json"], ["run", "999999", "--log", "json"]] {
        let ended = try await stack.trySalvo(words)
        #expect(ended.errLines.count == 1)
        let line = try JSONDecoder().decode(Line.self, from: Data(ended.err.utf8))
        #expect(line.level == "error")
      }
      let launch = try await TestLaunch.make(stack, [.firebase(3), .appMetrica(2)])
      let ended = try await stack.trySalvo(["run", "\(launch.id)", "--json"])
      #expect(ended.code == 0 && ended.err == "")
      #expect(
        ended.out
          == #"{"launch":\#(launch.id),"state":"finished","lanes":["#
          + #"{"channel":\#(launch.channels[0]),"name":"lane-1","provider":"android-firebase","planned":3,"sent":3,"#
          + #""token_retired":0,"rejected":0,"expired":0,"skipped":0,"unknown":0,"remaining":0},"#
          + #"{"channel":\#(launch.channels[1]),"name":"lane-2","provider":"android-appmetrica","planned":2,"sent":2,"#
          + #""token_retired":0,"rejected":0,"expired":0,"skipped":0,"unknown":0,"remaining":0}]}"# + "\n")
    }
  }
}
