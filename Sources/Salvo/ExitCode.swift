/// Mixed ends: 77 before 69 before 75 before 0.
enum ExitCode {
  static let needsDecision: Int32 = 2

  static func worse(_ a: Int32, _ b: Int32) -> Int32 {
    let order: [Int32] = [77, 69, 75]
    return order.first { $0 == a || $0 == b } ?? max(a, b)
  }
}
