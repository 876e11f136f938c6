#if canImport(Darwin)
  import Foundation

  extension JoinableThread {
    typealias Handle = pthread_t?

    static var noHandle: Handle { nil }

    /// The main thread waits for this thread, so it has the same class: a lower one would invert priorities.
    static func raisePriority(_ attributes: inout pthread_attr_t) {
      pthread_attr_set_qos_class_np(&attributes, QOS_CLASS_USER_INTERACTIVE, 0)
    }

    func join() {
      guard let handle else { return }
      pthread_join(handle, nil)
    }

    /// Lets the thread release its resources at its end.
    func detach() {
      guard let handle else { return }
      pthread_detach(handle)
    }
  }
#endif
