import Base
import Testing

@Suite("Locks, workers and budgets")
struct ConcurrencyTests {
  @Test("a guarded value loses no update of many tasks")
  func guarded() async {
    let counter = Guarded(0)
    await withTaskGroup { group in
      for _ in 0..<8 {
        group.addTask { for _ in 0..<1000 { counter.withLock { $0 += 1 } } }
      }
    }
    #expect(counter.withLock { $0 } == 8000)
  }

  @Test("a guarded value's lock is free again after an error")
  func guardedError() {
    struct Refused: Error {}
    let value = Guarded("a")
    #expect(throws: Refused.self) { try value.withLock { _ throws(Refused) in throw Refused() } }
    #expect(value.withLock { $0 } == "a")
  }

  @Test("a worker runs its jobs one by one, in the order in which they came")
  func workerOrder() async throws {
    let worker = Worker(name: "test")
    let seen = Guarded<[Int]>([])
    for number in 0..<500 { worker.post { seen.withLock { $0.append(number) } } }
    let count = try await worker.run { seen.withLock { $0.count } }
    #expect(count == 500)
    #expect(seen.withLock { $0 } == Array(0..<500))
  }

  @Test("a worker hands an error to whoever asked, and goes on")
  func workerError() async throws {
    struct Refused: Error {}
    let worker = Worker(name: "test")
    await #expect(throws: Refused.self) { try await worker.run { throw Refused() } }
    #expect(try await worker.run { 7 } == 7)
  }

  @Test("a worker that is let go finishes what it was given")
  func workerEnd() async throws {
    let done = Guarded(0)
    let (jobs, continuation) = AsyncStream.makeStream(of: Int.self)
    do {
      let worker = Worker(name: "test")
      for _ in 0..<99 { worker.post { done.withLock { $0 += 1 } } }
      worker.post {
        continuation.yield(done.withLock { $0 })
        continuation.finish()
      }
    }
    var counts: [Int] = []
    for await count in jobs { counts.append(count) }
    #expect(counts == [99])
  }

  @Test("a budget is first come, first served: a small borrower waits behind a large one")
  func budgetOrder() async {
    let budget = ByteBudget(bytes: 100)
    let first = await budget.borrow(60)
    #expect(first == 60)
    let order = Guarded<[String]>([])
    await withTaskGroup { group in
      group.addTask {
        let bytes = await budget.borrow(80)
        order.withLock { $0.append("large") }
        budget.giveBack(bytes)
      }
      // The small one asks once the large one stands in the queue; nothing can be borrowed then, though 40 are free.
      while budget.waiting == 0 { await Task.yield() }
      group.addTask {
        let bytes = await budget.borrow(10)
        order.withLock { $0.append("small") }
        budget.giveBack(bytes)
      }
      while budget.waiting < 2 { await Task.yield() }
      #expect(order.withLock { $0 }.isEmpty)
      budget.giveBack(first)
    }
    #expect(order.withLock { $0 }.count == 2)
    #expect(await budget.borrow(100) == 100)
  }

  @Test("whoever wants more than there is gets all of it")
  func budgetTooLarge() async {
    let budget = ByteBudget(bytes: 100)
    let all = await budget.borrow(1_000_000)
    #expect(all == 100)
    budget.giveBack(all)
    #expect(await budget.borrow(100) == 100)
  }

  @Test("a flag is up when its own time has come or the other's, and lowers neither")
  func stopFlags() {
    let process = StopFlag()
    let lane = StopFlag(or: process)
    let other = StopFlag(or: process)
    #expect(!lane.isSet)
    lane.set()
    #expect(lane.isSet)
    #expect(!process.isSet)
    #expect(!other.isSet)
    process.set()
    #expect(other.isSet)
  }

  @Test("a sleep ends when the flag goes up, not when its hour is over", .timeLimit(.minutes(1)))
  func flagSleep() async {
    let process = StopFlag()
    let lane = StopFlag(or: process)
    async let sleep: Void = lane.sleep(seconds: 3_600)
    process.set()
    await sleep
    await lane.sleep(seconds: 3_600)
    #expect(lane.isSet)
  }
}
