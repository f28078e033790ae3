import Testing

/// One server at a time: two cores, and a fault must meet the requests it is meant for.
@Suite("libcurl against servers that misbehave", .serialized, .timeLimit(.minutes(2))) struct WireTests {}
