import Foundation
import Glibc
import Testing

extension Runs {
  /// Runners that die without a word.
  @Suite struct CrashTests {
    @Test("kill -9 between the intent and the first send leaves windows with the exact ids, which nobody sends again")
    func killedBeforeSending() async throws {
      let stack = try await Stack.shared()
      // Accepts connections and never speaks, so no TLS handshake ends and nothing is ever handed over.
      let silent = try SilentServer()
      // A window takes 1,000 at 2 × 500 streams, a runner holds three chunks: of 3,400 one chunk is nobody's yet.
      let launch = try await TestLaunch.make(stack, [.apns(3_400, ["endpoint": .text(silent.endpoint)])])
      let channel = launch.channels[0]
      let runner = try launch.start()
      try await eventually("three open windows") {
        try await launch.count("count(*)", from: "send_window", where: "state = 0") == 3
      }
      let before = try await openIDs(launch)
      runner.signal(SIGKILL)
      #expect(try await runner.ended().code == 128 + SIGKILL)

      let keys = try await stack.sql(
        """
        select c.chunk_no, r.profile_id, r.subscription_id from salvo.chunk c
        join salvo.recipient r on r.launch_id = c.launch_id and r.channel_id = c.channel_id
          and (r.profile_id, r.subscription_id) > (c.lo_profile, c.lo_subscription)
          and (r.profile_id, r.subscription_id) <= (c.hi_profile, c.hi_subscription)
        where c.launch_id = \(launch.id) and c.state = 1 order by 1, 2, 3
        """)
      #expect(try await openIDs(launch) == before)
      #expect(before == keys)
      #expect(Set(before).count == before.count)
      #expect(try await stack.ledger().isEmpty)
      #expect(try await launch.count("count(*)", from: "delivery") == 0)

      // Its leases end by themselves after a minute; here at once.
      try await stack.sql("update salvo.chunk set lease_until = now() where launch_id = \(launch.id) and state = 1")
      let endpoint = stack.environment["SALVO_APNS_ENDPOINT"] ?? ""
      try await launch.setChannel(0, "settings = settings || jsonb_build_object('endpoint', '\(endpoint)')")
      let next = try await launch.tryRun()
      #expect(next.code == 75, "\(next.err)")
      #expect(next.errLines.count == 1, "\(next.err)")
      for word in ["lane-1", "\(before.count) messages", "left open", "not sent again"] {
        #expect(next.err.contains(word), "\(word) is missing: \(next.err)")
      }
      #expect(
        next.outLines.last
          == "all lanes: planned 3400 sent \(3_400 - before.count) token_retired 0 rejected 0 expired 0 skipped 0"
          + " unknown 0 remaining \(before.count)")
      #expect(try await openIDs(launch) == before)
      #expect(try await launch.state() == "running")

      let open = Set(
        try await stack.sql(
          """
          select s.token from salvo.subscription s where s.channel_id = \(channel)
            and s.profile_id || '|' || s.id in (select unnest(string_to_array('\(withoutChunk(before))', ',')))
          """))
      #expect(open.count == before.count)
      let sent = try await stack.ledger("apns")
      #expect(sent.count == 3_400 - before.count)
      #expect(Set(sent.map(\.token)).isDisjoint(with: open))
    }

    /// The ids of open windows, decoded by PostgreSQL: 16 bytes each, profile and subscription in network order.
    private func openIDs(_ launch: TestLaunch) async throws -> [String] {
      try await launch.stack.sql(
        """
        select w.chunk_no, ('x' || encode(substring(w.ids from 16 * k + 1 for 8), 'hex'))::bit(64)::bigint,
          ('x' || encode(substring(w.ids from 16 * k + 9 for 8), 'hex'))::bit(64)::bigint
        from salvo.send_window w, generate_series(0, octet_length(w.ids) / 16 - 1) k
        where w.launch_id = \(launch.id) and w.state = 0 and octet_length(w.ids) = 16 * w.planned order by 1, 2, 3
        """)
    }

    private func withoutChunk(_ ids: [String]) -> String {
      ids.map { $0.split(separator: "|").dropFirst().joined(separator: "|") }.joined(separator: ",")
    }
  }
}

/// A port where connections are taken by the kernel and nobody answers.
private final class SilentServer {
  private let socket: Int32
  let endpoint: String

  init() throws {
    let listener = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    try #require(listener >= 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let listens = withUnsafeMutablePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address -> Bool in
        bind(listener, address, length) == 0 && listen(listener, 64) == 0
          && getsockname(listener, address, &length) == 0
      }
    }
    try #require(listens)
    socket = listener
    endpoint = "https://127.0.0.1:\(UInt16(bigEndian: address.sin_port))"
  }

  deinit { close(socket) }
}
