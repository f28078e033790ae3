import Foundation
import Testing

extension Runs {
  /// How lanes share the network: connections, streams, and none waits for another.
  @Suite struct LaneTests {
    @Test("a pool never opens more connections than its channel allows, and one connection shows one key")
    func connections() async throws {
      let stack = try await Stack.shared()
      for provider in ["fcm", "apns", "hms"] { _ = try await stack.stack("set", "\(provider)-delay-ms", "50") }
      var second = TestLane.apns(300, ["key_id": "KEY7654321", "connections": 2, "streams": 10])
      second.credential = "file:apns-2.p8"
      let launch = try await TestLaunch.make(
        stack,
        [
          .firebase(300, ["connections": 2, "streams": 10]), .apns(300, ["connections": 1, "streams": 20]), second,
          .hms(200, ["connections": 1, "streams": 10]), .appMetrica(100),
        ])
      try await launch.run()

      let seen = try await stack.connections()
      // More messages at a time than one connection's streams, so each pool needs all it may have.
      #expect(seen["fcm"]?.opened == 2)
      #expect(seen["hms"]?.opened == 1)
      #expect(seen["appmetrica"]?.opened == 1)
      #expect(seen["apns"]?.opened == 3)
      #expect(seen["fcm"]?.mostStreams ?? .max <= 10)
      #expect(seen["hms"]?.mostStreams ?? .max <= 10)
      let keys = try #require(seen["apns"]?.keys)
      #expect(keys.mapValues(\.count) == ["KEY1234567": 1, "KEY7654321": 2])
      #expect(Set(keys.values.flatMap { $0 }).count == 3)
    }

    @Test("slow answers leave every stream of every connection in use")
    func fullConnections() async throws {
      let stack = try await Stack.shared()
      // 400 in flight are 1,600 requests a second then: within reach of a debug build on a busy machine.
      _ = try await stack.stack("set", "fcm-delay-ms", "250")
      let launch = try await TestLaunch.make(stack, [.firebase(4_000, ["connections": 4, "streams": 100])])
      try await launch.run()

      let fcm = try #require(try await stack.connections()["fcm"])
      #expect(fcm.opened == 4)
      #expect((360...400).contains(fcm.mostInFlight), "in flight at most: \(fcm.mostInFlight)")
      #expect(fcm.mostStreams <= 100)
    }

    @Test("a provider that answers after 2 s lengthens no other lane by more than a tenth")
    func slowLane() async throws {
      let stack = try await Stack.shared()
      _ = try await stack.stack("set", "fcm-delay-ms", "2000")
      // The others take their time from the answers' delay, not from the processors, which tests share.
      _ = try await stack.stack("set", "apns-delay-ms", "200")
      _ = try await stack.stack("set", "hms-delay-ms", "200")
      let others = [
        TestLane.apns(300, ["connections": 1, "streams": 25]), .hms(300, ["connections": 1, "streams": 25]),
      ]
      // One alone, then 10 at a time: 6 s or more.
      let slow = TestLane.firebase(21, ["connections": 1, "streams": 10])

      var alone: [Double] = []
      var beside: [Double] = []
      // The best of a few alternating runs: noise only ever lengthens one.
      var isWithinTenth: Bool { (beside.min() ?? .infinity) <= 1.1 * (alone.min() ?? 0) }
      while alone.count < 2 || (!isWithinTenth && alone.count < 4) {
        let without = try await TestLaunch.make(stack, others)
        try await without.run()
        alone.append(try await longestLane(without, without.channels))
        let with = try await TestLaunch.make(stack, [slow] + others)
        try await with.run()
        beside.append(try await longestLane(with, Array(with.channels.dropFirst())))
        // What no noise can hide: the others were through before the slow lane had its first window closed.
        #expect(
          try await with.count(
            "count(*)", from: "send_window",
            where: """
              channel_id <> \(with.channels[0]) and closed_at >= (select min(closed_at) from salvo.send_window
                where launch_id = \(with.id) and channel_id = \(with.channels[0]))
              """) == 0)
      }
      #expect(isWithinTenth, "alone \(alone) s, beside a slow lane \(beside) s")
    }

    /// Seconds from the first window's opening to the last one's close, of the lane that took longest.
    private func longestLane(_ launch: TestLaunch, _ channels: [Int]) async throws -> Double {
      let spans = try await launch.stack.sql(
        """
        select extract(epoch from max(closed_at) - min(opened_at)) from salvo.send_window
        where launch_id = \(launch.id) and channel_id in (\(channels.map(String.init).joined(separator: ", ")))
        group by channel_id
        """)
      return try #require(spans.compactMap(Double.init).max())
    }
  }
}
