import Foundation
import Testing

extension Runs {
  /// Memory follows windows and connections, not the number of recipients. `Jobs/drill.sh --memory` measures ten times
  /// as many, with the release build.
  @Suite struct MemoryTests {
    @Test("three times the recipients take at most a fifth more memory, and never 120 MB")
    func flatMemory() async throws {
      let stack = try await Stack.shared()
      let few = try await peak(stack, 4_000)
      let many = try await peak(stack, 12_000)
      #expect(few > 10 << 20, "that is no program's memory: \(few)")
      #expect(many * 10 <= few * 12, "\(few >> 20) MiB became \(many >> 20) MiB")
      #expect(many < 120_000_000)
    }

    /// The most resident memory that a run over four lanes of so many messages ever had, in bytes.
    private func peak(_ stack: Stack, _ messages: Int) async throws -> Int {
      let launch = try await TestLaunch.make(
        stack, [.firebase(messages), .apns(messages), .hms(messages), .appMetrica(messages)])
      let runner = try launch.start()
      var peak = 0
      while runner.isRunning {
        let status = (try? String(contentsOfFile: "/proc/\(runner.pid)/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        let kilobytes = line.flatMap { $0.split(whereSeparator: { !$0.isNumber }).first }.flatMap { Int($0) }
        peak = max(peak, (kilobytes ?? 0) << 10)
        try await Task.sleep(nanoseconds: 20_000_000)
      }
      let ended = try await runner.ended()
      #expect(ended.code == 0, "\(ended.err)")
      #expect(ended.outLines.last?.hasSuffix("remaining 0") == true)
      return peak
    }
  }
}
