/// Entries in the order of their numbers, in blocks, so that appending while a reader holds a copy doesn't copy everything.
struct EntryLog {
  private static let blockSize = 512

  private var blocks: [[JournalEntry]] = []
  private(set) var firstNumber = 1
  private(set) var count = 0

  var nextNumber: Int { firstNumber + count }

  mutating func append(_ entry: JournalEntry) {
    if blocks.isEmpty || blocks[blocks.count - 1].count == Self.blockSize {
      blocks.append([])
    }
    blocks[blocks.count - 1].append(entry)
    count += 1
  }

  mutating func updateRequest(_ number: Int, _ update: (inout RecordedRequest) -> Void) -> Bool {
    guard (firstNumber..<nextNumber).contains(number) else { return false }
    let index = number - firstNumber
    guard case .request(var request) = blocks[index / Self.blockSize][index % Self.blockSize] else { return false }
    update(&request)
    blocks[index / Self.blockSize][index % Self.blockSize] = .request(request)
    return true
  }

  /// Removes all entries; numbers continue.
  mutating func removeAll() {
    firstNumber = nextNumber
    blocks = []
    count = 0
  }

  /// The entries from a number on, without a copy.
  func entries(from number: Int) -> JournalEntries {
    let skipped = max(number, firstNumber) - firstNumber
    guard skipped < count else { return JournalEntries(blocks: [], block: 0, place: 0) }
    return JournalEntries(blocks: blocks, block: skipped / Self.blockSize, place: skipped % Self.blockSize)
  }
}

/// A snapshot of a journal's entries.
///
/// A concrete type instead of `some Sequence`, whose steps are looked up at run time in other modules: a wait that has slept would run them cold.
package struct JournalEntries: Sequence, IteratorProtocol {
  fileprivate let blocks: [[JournalEntry]]
  fileprivate var block: Int
  fileprivate var place: Int

  fileprivate init(blocks: [[JournalEntry]], block: Int, place: Int) {
    (self.blocks, self.block, self.place) = (blocks, block, place)
  }

  package init(_ entries: some Sequence<JournalEntry>) {
    self.init(blocks: [Array(entries)], block: 0, place: 0)
  }

  /// The number of remaining entries.
  package var count: Int { blocks.dropFirst(block).reduce(-place) { $0 + $1.count } }

  package mutating func next() -> JournalEntry? {
    guard block < blocks.count else { return nil }
    if place == blocks[block].count {
      (block, place) = (block + 1, 0)
      guard block < blocks.count else { return nil }
    }
    defer { place += 1 }
    return blocks[block][place]
  }

  /// Returns the next entries, many at once, which saves the caller's loop a call for each.
  package mutating func nextBlock(atMost most: Int) -> ArraySlice<JournalEntry>? {
    if block < blocks.count, place == blocks[block].count { (block, place) = (block + 1, 0) }
    guard block < blocks.count, most > 0 else { return nil }
    let entries = blocks[block][place...].prefix(most)
    place = entries.endIndex
    return entries
  }
}
