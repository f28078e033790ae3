/// Who has which connection, and who waits for one: first come, first served.
struct DatabaseState<Slot, Waiter> {
  enum WantAction {
    case use(Slot)
    /// All are lent out; the waiter is kept.
    case wait
  }

  enum FreeAction {
    case hand(Slot, to: Waiter)
    case keep
  }

  private var free: [Slot]
  private var waiting: [(id: UInt64, waiter: Waiter)] = []

  init(free: [Slot]) { self.free = free }

  /// The one given back last is lent first: connections that aren't needed are never opened.
  mutating func connectionWanted(by waiter: Waiter, id: UInt64) -> WantAction {
    if let slot = free.popLast() { return .use(slot) }
    waiting.append((id, waiter))
    return .wait
  }

  mutating func connectionFreed(_ slot: Slot) -> FreeAction {
    guard let first = waiting.first else {
      free.append(slot)
      return .keep
    }
    waiting.removeFirst()
    return .hand(slot, to: first.waiter)
  }

  /// - Returns: the waiter, nil if it has its connection already or never came.
  mutating func waitCancelled(id: UInt64) -> Waiter? {
    guard let index = waiting.firstIndex(where: { $0.id == id }) else { return nil }
    return waiting.remove(at: index).waiter
  }
}
