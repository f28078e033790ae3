import Testing

/// One stack for all tests of a suite, which must be serialized: bringing one up takes seconds. Every test begins with
/// an empty ledger, usual knobs and an account of its own.
struct SharedStack: SuiteTrait, TestScoping {
  @TaskLocal fileprivate static var stack: Stack?

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable @concurrent () async throws -> Void
  ) async throws {
    try await Stack.with { stack in
      try await Self.$stack.withValue(stack) { try await function() }
    }
  }
}

extension Trait where Self == SharedStack {
  static var sharedStack: Self { Self() }
}

extension Stack {
  /// The suite's stack, as good as new.
  static func shared() async throws -> Stack {
    let stack = try #require(SharedStack.stack, "the suite lacks the trait .sharedStack")
    _ = try await stack.stack("reset")
    return stack
  }
}
