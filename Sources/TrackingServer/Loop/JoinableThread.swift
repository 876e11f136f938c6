import Foundation
import TrackingSockets

/// A thread that can be joined and that reports a failed start; Foundation's `Thread` does neither.
///
/// Call either `join` or `detach`, once.
struct JoinableThread: @unchecked Sendable {
  private final class Body {
    let name: String
    let run: @Sendable () -> Void

    init(name: String, run: @escaping @Sendable () -> Void) {
      self.name = name
      self.run = run
    }
  }

  /// `@unchecked Sendable`: it never changes, and the system's functions accept it on any thread.
  let handle: Handle

  init(name: String, stackSize: Int, _ body: @escaping @Sendable () -> Void) throws(SocketError) {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setstacksize(&attributes, stackSize)
    Self.raisePriority(&attributes)
    let argument = Unmanaged.passRetained(Body(name: name, run: body))
    var handle = Self.noHandle
    let failure = pthread_create(
      &handle, &attributes,
      { argument in
        // Optional on one platform only.
        let body = Unmanaged<Body>.fromOpaque((argument as UnsafeMutableRawPointer?)!).takeRetainedValue()
        Thread.current.name = body.name
        body.run()
        return nil
      }, argument.toOpaque())
    guard failure == 0 else {
      argument.release()
      throw SocketError.call("pthread_create", errno: failure)
    }
    self.handle = handle
  }

  var isCurrent: Bool { pthread_equal(pthread_self(), handle) != 0 }
}
