#if os(Linux)
  import Foundation

  extension ProcessCounts {
    static var runningThreads: Int {
      (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count) ?? 0
    }
  }

  /// How many descriptors this process may have.
  enum DescriptorLimit {
    static var current: Int {
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
