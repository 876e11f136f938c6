#if canImport(Darwin)
  import Foundation

  extension TestRun {
    /// The name of a process, and when it was started; `nil` if the system doesn't tell.
    static func process(_ id: Int32) -> (name: String, start: Date)? {
      var info = kinfo_proc()
      var size = MemoryLayout<kinfo_proc>.stride
      var name = [CTL_KERN, KERN_PROC, KERN_PROC_PID, id]
      // It succeeds with a size of 0 for a process that isn't there.
      guard sysctl(&name, UInt32(name.count), &info, &size, nil, 0) == 0, size > 0 else { return nil }
      let start = info.kp_proc.p_un.__p_starttime
      let command = withUnsafeBytes(of: info.kp_proc.p_comm) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      return (command, Date(timeIntervalSince1970: Double(start.tv_sec) + Double(start.tv_usec) / 1e6))
    }
  }
#endif
