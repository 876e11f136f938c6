/// Recorded events in the order of their numbers, in blocks, so that a reader's copy never makes the next append copy them all.
struct EventLog {
  private static let blockSize = 512

  private var blocks: [[RecordedEvent]] = []
  /// The number of the first event that is kept.
  private(set) var firstNumber = 1
  /// How many events are kept.
  private(set) var count = 0

  /// The number that the next event gets.
  var nextNumber: Int { firstNumber + count }

  mutating func append(_ event: RecordedEvent) {
    if blocks.isEmpty || blocks[blocks.count - 1].count == Self.blockSize {
      blocks.append([])
    }
    blocks[blocks.count - 1].append(event)
    count += 1
  }

  /// Forgets all events; numbers go on.
  mutating func removeAll() {
    firstNumber = nextNumber
    blocks = []
    count = 0
  }

  /// The events from a number on.
  func events(from number: Int) -> [RecordedEvent] {
    let slices = slices(from: number)
    var events: [RecordedEvent] = []
    events.reserveCapacity(slices.reduce(0) { $0 + $1.count })
    for slice in slices { events += slice }
    return events
  }

  /// The events from a number on, block by block and without a copy.
  func slices(from number: Int) -> [ArraySlice<RecordedEvent>] {
    let skipped = max(number, firstNumber) - firstNumber
    guard skipped < count else { return [] }
    var slices = blocks[(skipped / Self.blockSize)...].map { $0[...] }
    slices[0] = slices[0].dropFirst(skipped % Self.blockSize)
    return slices
  }
}
