import Base
import Testing

/// Against https://prometheus.io/docs/instrumenting/exposition_formats/, text format 0.0.4.
@Suite struct MetricsTests {
  private func text(_ metrics: Metrics) -> String { String(decoding: metrics.text(), as: UTF8.self) }

  @Test("a family has its help, its type and a line a series, families and series in alphabetical order")
  func families() {
    let metrics = Metrics()
    metrics.counter("requests_total", "Requests.", [("code", "503"), ("lane", "a")]).add(2)
    metrics.counter("requests_total", "Requests.", [("code", "200"), ("lane", "a")]).add(40)
    metrics.counter("requests_total", "Requests.", [("code", "200"), ("lane", "a")]).add()
    let gauge = metrics.gauge("in_flight", "In flight.")
    gauge.add(9)
    gauge.add(-4)
    #expect(
      text(metrics) == """
        # HELP in_flight In flight.
        # TYPE in_flight gauge
        in_flight 5
        # HELP requests_total Requests.
        # TYPE requests_total counter
        requests_total{code="200",lane="a"} 41
        requests_total{code="503",lane="a"} 2

        """)
  }

  @Test("label values escape backslash, quote and line feed; help texts escape backslash and line feed only")
  func escaping() {
    let metrics = Metrics()
    metrics.counter("a_total", "C:\\x \"quoted\"\nsecond", [("path", "C:\\DIR\\\"FILE\"\nend é")]).add()
    #expect(
      text(metrics) == """
        # HELP a_total C:\\\\x "quoted"\\nsecond
        # TYPE a_total counter
        a_total{path="C:\\\\DIR\\\\\\"FILE\\"\\nend é"} 1

        """)
  }

  @Test("buckets are cumulative, a bound counts with its own bucket, +Inf equals the count")
  func histogram() {
    let metrics = Metrics()
    let histogram = metrics.histogram("wait_seconds", "Waits.", [("lane", "a")], bounds: [0.125, 0.5, 2])
    histogram.observe([0.0625, 0.125, 0.25, 64])
    histogram.observe(2)
    #expect(
      text(metrics) == """
        # HELP wait_seconds Waits.
        # TYPE wait_seconds histogram
        wait_seconds_bucket{lane="a",le="0.125"} 2
        wait_seconds_bucket{lane="a",le="0.5"} 3
        wait_seconds_bucket{lane="a",le="2"} 4
        wait_seconds_bucket{lane="a",le="+Inf"} 5
        wait_seconds_sum{lane="a"} 66.4375
        wait_seconds_count{lane="a"} 5

        """)
  }

  @Test("a histogram without labels carries le alone")
  func bareHistogram() {
    let metrics = Metrics()
    metrics.histogram("wait_seconds", "Waits.", bounds: [1]).observe(3)
    #expect(text(metrics).contains("\nwait_seconds_bucket{le=\"1\"} 0\nwait_seconds_bucket{le=\"+Inf\"} 1\n"))
    #expect(text(metrics).contains("\nwait_seconds_sum 3\nwait_seconds_count 1\n"))
  }

  @Test(
    "numbers are written as Go reads them",
    arguments: [
      (0.5, "0.5"), (3, "3"), (-2, "-2"), (1e-9, "1e-09"), (.infinity, "+Inf"), (-.infinity, "-Inf"), (.nan, "NaN"),
      (1.6e9, "1600000000"),
    ])
  func numbers(value: Double, text expected: String) {
    let metrics = Metrics()
    metrics.gauge("a", "A.") { value }
    #expect(text(metrics).hasSuffix("\na \(expected)\n"))
  }

  @Test("of two that offer the same number the later one is asked")
  func asked() {
    let metrics = Metrics()
    metrics.gauge("a", "A.") { 1 }
    metrics.gauge("a", "A.") { 2 }
    #expect(text(metrics) == "# HELP a A.\n# TYPE a gauge\na 2\n")
  }

  @Test("a counter never goes down")
  func monotonic() {
    let counter = Metrics().counter("a_total", "A.")
    counter.add(3)
    counter.add(-2)
    #expect(counter.value == 3)
  }

  @Test("what ended is shown for a while, then dropped; others stay, and so does what begins again")
  func ended() {
    let metrics = Metrics()
    let labels: (String, String) -> [Metrics.Label] = { [("launch", $0), ("channel", $1)] }
    for (launch, channel) in [("7", "1"), ("77", "1"), ("8", "7")] {
      metrics.counter("sent_total", "Sent.", labels(launch, channel)).add(5)
    }
    metrics.end(("launch", "7"), after: 3_600)
    #expect(text(metrics).contains("sent_total{launch=\"7\",channel=\"1\"} 5\n"))
    metrics.counter("sent_total", "Sent.", labels("7", "1")).add()
    metrics.end(("launch", "8"), after: 0)
    #expect(
      text(metrics) == """
        # HELP sent_total Sent.
        # TYPE sent_total counter
        sent_total{launch="7",channel="1"} 6
        sent_total{launch="77",channel="1"} 5

        """)
    metrics.end(("launch", "7"), after: 0)
    metrics.end(("launch", "77"), after: 0)
    #expect(text(metrics) == "")
  }

  @Test("counting from many threads loses nothing")
  func threads() async {
    let metrics = Metrics()
    let histogram = metrics.histogram("b_seconds", "B.", bounds: [1])
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask {
          let counter = metrics.counter("a_total", "A.")
          for _ in 0..<1_000 {
            counter.add(2)
            histogram.observe([1, 1])
          }
        }
      }
    }
    #expect(metrics.counter("a_total", "A.").value == 16_000)
    #expect(text(metrics).contains("\nb_seconds_count 16000\n"))
  }
}
