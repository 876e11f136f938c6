#if canImport(Darwin)
  import Foundation

  extension ProcessCounts {
    package static var runningThreads: Int {
      var threads: thread_act_array_t?
      var count: mach_msg_type_number_t = 0
      guard task_threads(mach_task_self_, &threads, &count) == KERN_SUCCESS, let threads else { return 0 }
      for index in 0..<Int(count) { mach_port_deallocate(mach_task_self_, threads[index]) }
      let size = vm_size_t(Int(count) * MemoryLayout<thread_t>.stride)
      vm_deallocate(mach_task_self_, vm_address_t(UInt(bitPattern: threads)), size)
      return Int(count)
    }
  }

  /// The number of descriptors that this process may have open.
  package enum DescriptorLimit {
    package static var current: Int {
      get {
        var limit = rlimit()
        getrlimit(RLIMIT_NOFILE, &limit)
        return Int(clamping: limit.rlim_cur)
      }
      set {
        var limit = rlimit()
        getrlimit(RLIMIT_NOFILE, &limit)
        limit.rlim_cur = min(rlim_t(newValue), limit.rlim_max)
        setrlimit(RLIMIT_NOFILE, &limit)
      }
    }
  }
#endif
