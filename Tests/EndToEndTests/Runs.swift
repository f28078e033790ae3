import Testing

/// Tests that run the executable against a stack. One after the other: they look at what the whole machine did.
@Suite(.serialized, .sharedStack, .timeLimit(.minutes(3)))
enum Runs {}
