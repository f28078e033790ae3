/// What a process counts for people who watch it: named families of counters, gauges and histograms, told apart by
/// labels, written out in Prometheus' text format.
///
/// Looking an instrument up takes a lock and a dictionary, so whoever counts often keeps it. Its own update is one
/// atomic addition, a histogram's one lock for as many values as there are.
public final class Metrics: Sendable {
  /// Name and value of a label; the order given is the order shown.
  public typealias Label = (name: String, value: String)

  /// What a family is, as `# TYPE` says it.
  enum Kind: String, Sendable { case counter, gauge, histogram }

  enum Source: Sendable {
    case counter(Counter)
    case gauge(Gauge)
    case histogram(Histogram)
    /// Asked when the text is written.
    case asked(@Sendable () -> Double)
  }

  struct Series: Sendable {
    /// `launch="7",channel="3"`, escaped.
    let labels: String
    let source: Source
    /// Shown until then.
    var until = BootInstant.distantFuture
  }

  struct Family: Sendable {
    let help: String
    let kind: Kind
    var series: [String: Series] = [:]
  }

  private let families = Guarded<[String: Family]>([:])

  /// Without any family; each begins with its first instrument.
  public init() {}

  // MARK: Instruments

  /// The counter of that name and those labels; made when it is the first. Names end in `_total`.
  /// - Parameter help: one sentence about the whole family.
  public func counter(_ name: String, _ help: String, _ labels: [Label] = []) -> Counter {
    let made = Counter()
    if case .counter(let counter) = source(name, help, .counter, labels, .counter(made)) { return counter }
    return made
  }

  /// The gauge of that name and those labels; made when it is the first.
  public func gauge(_ name: String, _ help: String, _ labels: [Label] = []) -> Gauge {
    let made = Gauge()
    if case .gauge(let gauge) = source(name, help, .gauge, labels, .gauge(made)) { return gauge }
    return made
  }

  /// The histogram of that name and those labels; made when it is the first.
  /// - Parameter bounds: upper bounds of its buckets, ascending; the last bucket, without a bound, is added.
  public func histogram(_ name: String, _ help: String, _ labels: [Label] = [], bounds: [Double]) -> Histogram {
    let made = Histogram(bounds: bounds)
    if case .histogram(let histogram) = source(name, help, .histogram, labels, .histogram(made)) { return histogram }
    return made
  }

  /// A counter that somebody else keeps: asked whenever the text is written.
  public func counter(
    _ name: String, _ help: String, _ labels: [Label] = [], read: @escaping @Sendable () -> Double
  ) {
    _ = source(name, help, .counter, labels, .asked(read))
  }

  /// A gauge that is asked whenever the text is written.
  public func gauge(_ name: String, _ help: String, _ labels: [Label] = [], read: @escaping @Sendable () -> Double) {
    _ = source(name, help, .gauge, labels, .asked(read))
  }

  private func source(
    _ name: String, _ help: String, _ kind: Kind, _ labels: [Label], _ made: Source
  ) -> Source {
    let text = MetricsText.labels(labels)
    return families.withLock { families in
      var family = families[name] ?? Family(help: help, kind: kind)
      defer { families[name] = family }
      if var known = family.series[text] {
        known.until = .distantFuture
        // Who is asked now is the latest that offered itself.
        if case .asked = made { known = Series(labels: text, source: made) }
        family.series[text] = known
        return known.source
      }
      family.series[text] = Series(labels: text, source: made)
      return made
    }
  }

  // MARK: Ends

  /// What carries this label is over: it is shown a while longer, so that the last numbers are seen, and dropped then.
  /// A process that sends launch after launch would show all of them for ever. Whoever asks for such an instrument
  /// before then gets it back with its numbers.
  public func end(_ label: Label, after seconds: Double) {
    let text = MetricsText.labels([label])
    let until = BootInstant.now.advanced(seconds: seconds)
    families.withLock { families in
      families = families.mapValues { family in
        var family = family
        for key in Array(family.series.keys) where Self.carries(key, text) { family.series[key]?.until = until }
        return family
      }
    }
  }

  /// A label's text can't be part of another's value: quotes are escaped there.
  private static func carries(_ labels: String, _ label: String) -> Bool {
    labels == label || labels.hasPrefix(label + ",") || labels.hasSuffix("," + label)
      || labels.contains("," + label + ",")
  }

  // MARK: Text

  /// Everything, in Prometheus' text format 0.0.4: families and series in alphabetical order.
  public func text() -> [UInt8] {
    let now = BootInstant.now
    let current = families.withLock { families in
      families = families.compactMapValues { family in
        var family = family
        family.series = family.series.filter { $0.value.until > now }
        return family.series.isEmpty ? nil : family
      }
      return families
    }
    // Outside the lock: those that are asked may take locks of their own.
    var text: [UInt8] = []
    for (name, family) in current.sorted(by: { $0.key < $1.key }) {
      MetricsText.append(name, family, to: &text)
    }
    return text
  }
}
