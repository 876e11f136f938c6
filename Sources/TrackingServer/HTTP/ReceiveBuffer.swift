/// The received bytes of a connection that haven't been consumed.
///
/// Filled at its end and consumed from its start. The rest moves only when room is needed, and never more bytes than were consumed since
/// the last move, so pipelined requests cost no more than their bytes.
struct ReceiveBuffer: ~Copyable {
  /// The capacity at the start and after large requests; events are far smaller.
  static let usualCapacity = 16 * 1_024
  /// The capacity that is kept between requests, so that arrays of events don't make the buffer grow and shrink each time.
  static let keptCapacity = 64 * 1_024
  /// The smallest room offered to a read.
  static let leastRoom = 4 * 1_024

  private(set) var capacity = 0
  private var memory: UnsafeMutablePointer<UInt8>?
  private var start = 0
  private var end = 0

  init() {}

  deinit {
    memory?.deallocate()
  }

  var count: Int { end &- start }

  /// Valid until the next mutation.
  var bytes: UnsafeMutableBufferPointer<UInt8> {
    UnsafeMutableBufferPointer(start: memory.map { $0 + start }, count: count)
  }

  /// Lets `fill` append bytes; it returns their number, and appends none if that isn't positive.
  mutating func receive<Failure: Error>(
    _ fill: (UnsafeMutableRawBufferPointer) throws(Failure) -> Int
  ) throws(Failure) -> Int {
    makeRoom()
    let room = UnsafeMutableRawBufferPointer(start: memory.map { $0 + end }, count: capacity - end)
    let received = try fill(room)
    end += min(max(received, 0), room.count)
    return received
  }

  mutating func removeFirst(_ count: Int) {
    start += count
    if start == end {
      start = 0
      end = 0
    }
  }

  /// Removes the bytes from `offset` up to `next` by moving the following ones.
  mutating func closeGap(from offset: Int, to next: Int) {
    guard next > offset, let memory else { return }
    let target = UnsafeMutableRawPointer(memory + start + offset)
    target.copyMemory(from: memory + start + next, byteCount: count - next)
    end -= next - offset
  }

  /// Releases memory after a large request.
  mutating func shrink() {
    guard capacity > Self.keptCapacity, count <= Self.usualCapacity / 2 else { return }
    if count == 0 {
      memory?.deallocate()
      memory = nil
      capacity = 0
      start = 0
      end = 0
    } else {
      reallocate(Self.usualCapacity)
    }
  }

  private mutating func makeRoom() {
    guard capacity - end < Self.leastRoom else { return }
    if start >= count, let memory {
      UnsafeMutableRawPointer(memory).copyMemory(from: memory + start, byteCount: count)
      end = count
      start = 0
      guard capacity - end < Self.leastRoom else { return }
    }
    reallocate(max(Self.usualCapacity, capacity * 2))
  }

  private mutating func reallocate(_ newCapacity: Int) {
    let newMemory = UnsafeMutablePointer<UInt8>.allocate(capacity: newCapacity)
    if let memory {
      newMemory.update(from: memory + start, count: count)
      memory.deallocate()
    }
    end = count
    start = 0
    memory = newMemory
    capacity = newCapacity
  }
}
