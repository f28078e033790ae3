/// Prometheus' text format, version 0.0.4: https://prometheus.io/docs/instrumenting/exposition_formats/
enum MetricsText {
  /// `launch="7",channel="3"`
  static func labels(_ labels: [Metrics.Label]) -> String {
    labels.map { "\($0.name)=\"\(escaped($0.value, quotes: true))\"" }.joined(separator: ",")
  }

  static func append(_ name: String, _ family: Metrics.Family, to text: inout [UInt8]) {
    text.append(contentsOf: "# HELP \(name) \(escaped(family.help, quotes: false))\n".utf8)
    text.append(contentsOf: "# TYPE \(name) \(family.kind.rawValue)\n".utf8)
    for (_, series) in family.series.sorted(by: { $0.key < $1.key }) {
      switch series.source {
      case .counter(let counter): line(name, series.labels, "\(counter.value)", to: &text)
      case .gauge(let gauge): line(name, series.labels, "\(gauge.value)", to: &text)
      case .asked(let read): line(name, series.labels, number(read()), to: &text)
      case .histogram(let histogram): append(name, series.labels, histogram.state, to: &text)
      }
    }
  }

  /// Buckets are cumulative: each holds all that are no larger than its bound.
  private static func append(_ name: String, _ labels: String, _ state: Histogram.State, to text: inout [UInt8]) {
    let comma = labels.isEmpty ? "" : ","
    var sum = 0
    for (bound, count) in zip(state.bounds.map(number) + ["+Inf"], state.counts) {
      sum += count
      line(name + "_bucket", "\(labels)\(comma)le=\"\(bound)\"", "\(sum)", to: &text)
    }
    line(name + "_sum", labels, number(state.sum), to: &text)
    line(name + "_count", labels, "\(sum)", to: &text)
  }

  private static func line(_ name: String, _ labels: String, _ value: String, to text: inout [UInt8]) {
    text.append(contentsOf: "\(name)\(labels.isEmpty ? "" : "{\(labels)}") \(value)\n".utf8)
  }

  /// As Go's ParseFloat reads it.
  private static func number(_ value: Double) -> String {
    if value.isNaN { return "NaN" }
    if value.isInfinite { return value < 0 ? "-Inf" : "+Inf" }
    return Int64(exactly: value).map { "\($0)" } ?? "\(value)"
  }

  private static func escaped(_ text: String, quotes: Bool) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": escaped += "\\\\"
      case "\n": escaped += "\\n"
      case "\"" where quotes: escaped += "\\\""
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
