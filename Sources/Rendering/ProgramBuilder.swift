/// Collects a program's steps: constant bytes are joined, marks that nothing goes back to and unused labels vanish.
struct ProgramBuilder {
  /// A step whose targets are labels yet.
  enum Draft {
    case bytes([UInt8])
    case step(Program.Step)
    case label(Int)
  }

  private(set) var drafts: [Draft] = []
  private(set) var texts: [Dynamic] = []
  private var marks = 0
  private var labels = 0
  /// The last byte written, nil when only the message knows.
  var last: UInt8?

  var count: Int { drafts.count }

  mutating func append(_ bytes: [UInt8]) {
    guard let byte = bytes.last else { return }
    drafts.append(.bytes(bytes))
    last = byte
  }

  mutating func append(_ step: Program.Step) { drafts.append(.step(step)) }

  mutating func place(_ label: Int) { drafts.append(.label(label)) }

  /// Takes back what was appended since `count` was that.
  mutating func truncate(to count: Int, last: UInt8?) {
    drafts.removeSubrange(count...)
    self.last = last
  }

  mutating func newMark() -> Int32 {
    marks += 1
    return Int32(marks - 1)
  }

  mutating func newLabel() -> Int {
    labels += 1
    return labels - 1
  }

  mutating func index(of dynamic: Dynamic) -> Int32 {
    if let index = texts.firstIndex(of: dynamic) { return Int32(index) }
    texts.append(dynamic)
    return Int32(texts.count - 1)
  }

  /// The constant bytes since `count` was that; nil when there is more than these.
  func constantBytes(since count: Int) -> [UInt8]? {
    var bytes: [UInt8] = []
    for draft in drafts[count...] {
      switch draft {
      case .bytes(let more): bytes += more
      case .step(.mark), .step(.landmarkBegin), .step(.landmarkEnd), .label: continue
      case .step: return nil
      }
    }
    return bytes
  }

  func program(landmarks: Int) -> Program {
    var marksInUse: [Int32: Int32] = [:]
    for case .step(let step) in drafts {
      for mark in step.marksUsed where marksInUse[mark] == nil { marksInUse[mark] = Int32(marksInUse.count) }
    }
    var textsInUse: [Int32: Int32] = [:]
    var usedTexts: [Dynamic] = []
    for case .step(let step) in drafts {
      guard let text = step.textUsed, textsInUse[text] == nil else { continue }
      textsInUse[text] = Int32(usedTexts.count)
      usedTexts.append(texts[Int(text)])
    }
    let targets = Set(drafts.compactMap { if case .step(let step) = $0 { step.target } else { nil } })
    var steps: [Program.Step] = []
    var pool: [UInt8] = []
    var runStart = 0
    var places: [Int32: Int32] = [:]
    func flush() {
      if pool.count > runStart { steps.append(.bytes(lower: Int32(runStart), upper: Int32(pool.count))) }
      runStart = pool.count
    }
    for draft in drafts {
      switch draft {
      case .bytes(let more): pool += more
      case .step(.mark(let mark)) where marksInUse[mark] == nil: continue
      case .step(let step):
        flush()
        steps.append(step)
      case .label(let label) where targets.contains(Int32(label)):
        flush()
        places[Int32(label)] = Int32(steps.count)
      case .label: continue
      }
    }
    flush()
    return Program(
      steps: steps.map { $0.resolved(marksInUse, textsInUse, places) }, bytes: pool, texts: usedTexts,
      marks: marksInUse.count, landmarks: landmarks)
  }
}

extension Program.Step {
  fileprivate var marksUsed: [Int32] {
    switch self {
    case .drop(let mark, _), .dropEmptyObject(let mark, _), .dropNull(_, let mark, _): [mark]
    case .dropEmptyText(let mark, let value, _, _): [mark, value]
    default: []
    }
  }

  fileprivate var target: Int32? {
    switch self {
    case .jump(let target), .unless(_, let target), .drop(_, let target), .dropEmptyObject(_, let target),
      .dropNull(_, _, let target), .dropEmptyText(_, _, _, let target):
      target
    default: nil
    }
  }

  /// With the final numbers of marks, texts and steps. The builder placed every label that it used.
  fileprivate func resolved(_ marks: [Int32: Int32], _ texts: [Int32: Int32], _ places: [Int32: Int32]) -> Self {
    func text(_ old: Int32) -> Int32 { texts[old] ?? 0 }
    func mark(_ old: Int32) -> Int32 { marks[old] ?? 0 }
    func place(_ label: Int32) -> Int32 { places[label] ?? 0 }
    return switch self {
    case .mark(let old): .mark(mark(old))
    case .jump(let label): .jump(place(label))
    case .text(let old, let depth): .text(text(old), depth: depth)
    case .value(let old, let level): .value(text(old), level: level)
    case .unless(let old, let label): .unless(text: text(old), target: place(label))
    case .dropNull(let old, let from, let label): .dropNull(text: text(old), mark: mark(from), target: place(label))
    case .drop(let old, let label): .drop(mark: mark(old), target: place(label))
    case .dropEmptyObject(let old, let label): .dropEmptyObject(mark: mark(old), target: place(label))
    case .dropEmptyText(let old, let value, let quotes, let label):
      .dropEmptyText(mark: mark(old), value: mark(value), quotes: quotes, target: place(label))
    default: self
    }
  }
}
