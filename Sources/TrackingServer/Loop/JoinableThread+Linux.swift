#if os(Linux)
  import Foundation

  extension JoinableThread {
    typealias Handle = pthread_t

    static var noHandle: Handle { 0 }

    static func raisePriority(_ attributes: inout pthread_attr_t) {}

    func join() {
      pthread_join(handle, nil)
    }

    /// Lets the thread release its resources at its end.
    func detach() {
      pthread_detach(handle)
    }
  }
#endif
