import TrackingModel
import Testing
import TrackingSockets
import TrackingVerifier

@testable import TrackingTesting

struct ServerSeatsTests {
  @Test("a test without a seat waits until one is returned, in the order of arrival")
  func seatsAreGivenInOrder() async {
    let seats = ServerSeats(limit: 1, patience: .seconds(600))
    await seats.take()
    let first = Task { await seats.take() }
    await waiting(1, for: seats)
    let second = Task { await seats.take() }
    await waiting(2, for: seats)
    #expect(seats.taken == 1)

    seats.leave()
    await first.value
    #expect((seats.taken, seats.waiting) == (1, 1))
    seats.leave()
    await second.value
    #expect((seats.taken, seats.waiting) == (1, 0))
  }

  @Test("a cancelled task does not wait")
  func aCancelledTaskDoesNotWait() async {
    let seats = ServerSeats(limit: 1, patience: .seconds(600))
    await seats.take()
    let waiting = Task { await seats.take() }
    await self.waiting(1, for: seats)
    waiting.cancel()
    await waiting.value
    #expect((seats.taken, seats.waiting) == (2, 0))
  }

  @Test("when no seat is returned waiting tests proceed, so that no run hangs")
  func noWaitLastsForEver() async {
    let seats = ServerSeats(limit: 1, patience: .milliseconds(1))
    await withTaskGroup { group in
      for _ in 0..<20 { group.addTask { await seats.take() } }
    }
    #expect((seats.taken, seats.waiting) == (20, 0))
  }

  @Test("a test that waits for a seat stays patient for as long as others come and go")
  func patienceDoesNotWearOut() async throws {
    let sleeping = Locked<[TaskSignal]>([])
    let seats = ServerSeats(limit: 1) { wake in
      sleeping.withLock { $0.append(wake) }
      await wake.wait(timeout: .seconds(600))
    }
    func sleepers(_ count: Int) async {
      while sleeping.withLock({ $0.count }) < count { await Task.yield() }
    }
    /// Lets the patience of all that sleep run out.
    func runOutOfPatience() {
      let all = sleeping.withLock { sleeping in
        defer { sleeping = [] }
        return sleeping
      }
      for wake in all { wake.wake() }
    }
    await seats.take()
    let tasks = (1...3).map { _ in Task { await seats.take() } }
    await sleepers(3)
    for stillWaiting in [2, 1] {
      seats.leave()
      // They notice that another one has come in, and sleep again.
      runOutOfPatience()
      await sleepers(stillWaiting)
      #expect((seats.taken, seats.waiting) == (1, stillWaiting))
    }
    // This time no one has.
    runOutOfPatience()
    for task in tasks { await task.value }
    #expect((seats.taken, seats.waiting) == (2, 0))
  }

  @Test("seats beyond the limit are returned before a waiting test gets one")
  func seatsBeyondTheLimit() async {
    let seats = ServerSeats(limit: 1, patience: .seconds(600))
    await seats.take()
    seats.takeOneTooMany()
    let waiting = Task { await seats.take() }
    await self.waiting(1, for: seats)
    seats.leave()
    #expect((seats.taken, seats.waiting) == (1, 1))
    seats.leave()
    await waiting.value
    #expect((seats.taken, seats.waiting) == (1, 0))
  }

  @Test(
    "a process with few descriptors has few servers", arguments: [(64, 4), (256, 16), (1_024, 64), (1_048_576, 64)])
  func theLimitGoesByTheDescriptors(descriptors: Int, limit: Int) {
    #expect(ServerSeats.limit(descriptors: descriptors) == limit)
  }

  private func waiting(_ count: Int, for seats: ServerSeats) async {
    while seats.waiting < count { await Task.yield() }
  }
}
