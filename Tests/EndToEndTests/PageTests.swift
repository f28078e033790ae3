import Foundation
import Glibc
import Testing

extension Runs {
  /// The page of launches in a real browser, where there is one: a download of 300 MB is no part of the test packages.
  @Suite(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/chromium"), "Debian's chromium"))
  struct PageTests {
    private func chromium(_ words: [String]) async throws -> Ended {
      let profile = FileManager.default.temporaryDirectory.appending(path: "salvo-chromium-\(UUID().uuidString)").path
      defer { try? FileManager.default.removeItem(atPath: profile) }
      return try await Shell.run(
        "/usr/bin/chromium",
        [
          "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--enable-logging=stderr",
          "--user-data-dir=\(profile)", "--virtual-time-budget=4000",
        ] + words)
    }

    @Test("the page runs under its own policy, shows the rows' numbers, and runs nothing of a customer's")
    func page() async throws {
      let stack = try await Stack.shared()
      _ = try await stack.stack("set", "fcm-delay-ms", "60000")
      let launch = try await TestLaunch.make(stack, [.apns(250), .firebase(40)])
      try await stack.sql(
        """
        update salvo.campaign set name = '<script>document.title = "owned"</script><b>Sale</b>'
        where id = (select campaign_id from salvo.launch where id = \(launch.id))
        """)
      let listener = try await Listener.start(launch)
      try await eventually("the APNs lane") {
        try await launch.count("coalesce(sum(sent), 0)", from: "launch_progress") == 250
      }
      let ended = try await chromium(["--dump-dom", "http://127.0.0.1:\(listener.port)/"])
      listener.runner.signal(SIGTERM)
      // The first asks, the second leaves.
      listener.runner.signal(SIGTERM)
      _ = try await listener.runner.ended()
      #expect(ended.code == 0, "\(ended.err)")
      // The script has run: as it comes, the page says "up to date".
      #expect(ended.out.contains(">live</p>"), "\(ended.out) \(ended.err)")
      #expect(ended.out.contains("<dd data-n=\"\(launch.id).sent\">250</dd>"))
      #expect(ended.out.contains("<dd data-n=\"\(launch.id).remaining\">40</dd>"))
      #expect(ended.out.contains("<title>Salvo launches</title>"))
      #expect(ended.out.contains("&lt;b&gt;Sale&lt;/b&gt;"))
      #expect(!ended.err.contains("Content Security Policy"), "\(ended.err)")
    }
  }
}
