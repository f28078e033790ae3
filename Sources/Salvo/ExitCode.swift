/// What the process ends with.
enum ExitCode {
  static let needsDecision: Int32 = 2

  /// Every code and when it is given.
  static let meanings: [(code: Int32, meaning: String)] = [
    (0, "every message is accounted, or there was nothing to do"),
    (needsDecision, "with --strict: a launch needs a decision about unknown messages"),
    (64, "wrong words on the command line"),
    (65, "content, template or the launch's state refused"),
    (66, "no such launch, campaign or file"),
    (69, "a lane stopped: something must be mended first"),
    (70, "a fault of salvo's own, or books that verify finds wrong"),
    (73, "cannot write a file"),
    (75, "run it again: database away, stopped by a signal, messages left"),
    (77, "a provider refused a credential"),
    (78, "configuration: settings, schema version, missing credential file"),
  ]

  /// Mixed ends: 77 before 69 before 75 before 0.
  static func worse(_ a: Int32, _ b: Int32) -> Int32 {
    let order: [Int32] = [77, 69, 75]
    return order.first { $0 == a || $0 == b } ?? max(a, b)
  }
}
