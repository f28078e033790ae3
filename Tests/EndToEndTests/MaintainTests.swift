import Testing

extension Runs {
  /// `salvo maintain` beside a launch that is being sent.
  @Suite struct MaintainTests {
    @Test("maintain drops and trims an old launch while another runs: the old one's sums and the other's result stay")
    func besideRun() async throws {
      let stack = try await Stack.shared()
      let lanes: [TestLane] = [.firebase(600, ["connections": 1, "streams": 50]), .appMetrica(100)]
      // Another thousand of ids, so that a partition of its own holds the old launch.
      try await stack.sql("select setval(pg_get_serial_sequence('salvo.launch', 'id'), 900000)")
      let old = try await TestLaunch.make(stack, lanes)
      try await old.run()
      try await stack.sql(
        """
        alter table salvo.launch disable trigger fixed;
        update salvo.launch set created_at = created_at - interval '91 days',
          started_at = started_at - interval '91 days', finished_at = finished_at - interval '91 days'
          where id = \(old.id);
        alter table salvo.launch enable trigger fixed;
        update salvo.send_window set opened_at = opened_at - interval '91 days',
          accepted_at = accepted_at - interval '91 days', closed_at = closed_at - interval '91 days'
          where launch_id = \(old.id);
        """)
      let progress = "select * from salvo.launch_progress where launch_id = \(old.id) order by channel_id"
      let sums = try await stack.sql(progress)
      #expect(sums.count == 2 && sums[0].contains("|android-firebase|600|600|0|0|0|0|0|0|"), "\(sums)")

      _ = try await stack.stack("reset")
      try await stack.sql("select setval(pg_get_serial_sequence('salvo.launch', 'id'), 902000)")
      _ = try await stack.stack("set", "fcm-delay-ms", "200")
      let launch = try await TestLaunch.make(stack, lanes)
      let runner = try launch.start()
      try await eventually("messages under way") { try await stack.ledger("fcm").count > 50 }

      let look = try await stack.salvo("maintain", "--keep", "90d", "--dry-run")
      #expect(
        look.outLines.contains { $0.hasPrefix("would drop ") && $0.contains("delivery_p900, recipient_p900") },
        "\(look.out)")
      #expect(look.outLines.contains("would trim launches: 1, their sums stay"), "\(look.out)")
      let done = try await stack.salvo("maintain", "--keep", "90d")
      #expect(
        done.outLines.contains { $0.hasPrefix("dropped ") && $0.contains("delivery_p900, recipient_p900") },
        "\(done.out)")
      #expect(done.outLines.contains("trimmed launches: 1, their sums stay"), "\(done.out)")
      #expect(runner.isRunning)
      #expect(try await stack.sql(progress) == sums)

      let ended = try await runner.ended()
      #expect(ended.code == 0, "\(ended.err)")
      #expect(
        ended.outLines.last
          == "all lanes: planned 700 sent 700 token_retired 0 rejected 0 expired 0 skipped 0 unknown 0 remaining 0")
      let ledger = try await stack.ledger()
      #expect(ledger.count == 700 && Set(ledger.map { "\($0.provider) \($0.token)" }).count == 700)
      try await stack.salvo("verify", "\(launch.id)")

      let trimmed = try await stack.trySalvo(["verify", "\(old.id)"])
      #expect(trimmed.code == 65)
      #expect(trimmed.err.contains("launch \(old.id) ended long ago and was trimmed"), "\(trimmed.err)")
      let list = try await stack.salvo("launch", "list", "--json")
      #expect(
        list.out.contains(#"{"launch":\#(old.id),"state":"finished","campaign":"E2E","planned":700,"remaining":0"#))
    }

    @Test("--keep takes whole days from one on, with or without the d; --json says everything in one object")
    func words() async throws {
      let stack = try await Stack.shared()
      for keep in ["0d", "90h", "-1", "36501d", "d", ""] {
        try await stack.trySalvo(["maintain", "--keep", keep]).expectOneLine(64, ["--keep", "1d to 36500d"])
      }
      let json = try await stack.salvo("maintain", "--keep", "36500", "--json")
      // What others left behind in this database may be among the rows.
      let start =
        #"{"partitions_made":[],"partitions_dropped":[],"bytes_dropped":0,"partitions_busy":[],"launches":0,"rows":{"#
      #expect(json.out.hasPrefix(start) && json.out.hasSuffix("}}\n") && json.outLines.count == 1, "\(json.out)")
    }
  }
}
