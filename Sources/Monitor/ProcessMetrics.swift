public import Base
import Glibc

/// What the process itself costs, from /proc/self. Not under the usual names `process_…`: in node_exporter's textfile
/// collector they would clash with its own, and the whole scrape would fail.
public enum ProcessMetrics {
  /// Adds the gauges; each reads /proc when the text is written.
  public static func register(in metrics: Metrics) {
    let startedAt = Double(EpochMilliseconds.now.value) / 1000
    metrics.gauge("salvo_process_start_time_seconds", "When the process started, since 1970.") { startedAt }
    metrics.gauge("salvo_process_resident_memory_bytes", "Memory in RAM.") {
      // The second number: resident pages (proc(5), statm).
      let fields = (try? FileReader.read("/proc/self/statm")).map { $0.split(separator: UInt8(ascii: " ")) } ?? []
      let pages = fields.count > 1 ? Double(String(decoding: fields[1], as: UTF8.self)) ?? 0 : 0
      return pages * Double(sysconf(Int32(_SC_PAGESIZE)))
    }
    metrics.counter("salvo_process_cpu_seconds_total", "Processor time, of the kernel for the process too.") {
      var time = timespec()
      guard clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time) == 0 else { return 0 }
      return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
    metrics.gauge("salvo_process_open_fds", "Open files and sockets.") {
      Double(FileFolder("/proc/self/fd").names(ending: "").filter { !$0.hasPrefix(".") }.count)
    }
  }
}
