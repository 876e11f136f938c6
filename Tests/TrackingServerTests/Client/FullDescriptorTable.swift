import TestSupport
import TrackingSockets

/// A process that has no descriptors left, until it is released.
final class FullDescriptorTable {
  private var fillers: [Int32] = []
  private let limitBefore: Int

  /// Takes all descriptors but a few; first lowers the limit, so that this takes little.
  init(leaving count: Int) throws {
    limitBefore = DescriptorLimit.current
    var highest: Int32 = 0
    for descriptor in 0..<Int32(clamping: limitBefore) where fcntl(descriptor, F_GETFD) != -1 { highest = descriptor }
    DescriptorLimit.current = Int(highest) + 16
    while case let filler = dup(0), filler != -1 { fillers.append(filler) }
    guard !fillers.isEmpty else { throw SocketError.call("dup", errno: errno) }
    release(count)
  }

  deinit {
    release()
  }

  /// Gives some descriptors back.
  func release(_ count: Int) {
    for _ in 0..<count { close(fillers.removeLast()) }
  }

  /// Gives all of them back, and the limit.
  func release() {
    release(fillers.count)
    DescriptorLimit.current = limitBefore
  }
}
