#if os(Linux)
  import Foundation

  extension JoinableThread {
    typealias Handle = pthread_t

    static var noHandle: Handle { 0 }

    static func raisePriority(_ attributes: inout pthread_attr_t) {}

    /// Waits until the thread has ended.
    func join() {
      pthread_join(handle, nil)
    }

    /// Lets the thread clean up after itself.
    func detach() {
      pthread_detach(handle)
    }
  }
#endif
