#if os(Linux)
  import Foundation

  extension ProcessCounts {
    package static var runningThreads: Int {
      (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count) ?? 0
    }
  }

  /// The number of descriptors that this process may have open.
  package enum DescriptorLimit {
    package static var current: Int {
      get {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        return Int(clamping: limit.rlim_cur)
      }
      set {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        limit.rlim_cur = min(rlim_t(newValue), limit.rlim_max)
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      }
    }
  }
#endif
