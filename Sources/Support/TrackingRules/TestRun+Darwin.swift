#if canImport(Darwin)
  import Foundation

  extension TestRun {
    /// `nil` if the process doesn't exist, and in a sandbox, where `swift test` runs no tests.
    static func process(_ id: Int32) -> Parent? {
      var info = kinfo_proc()
      var size = MemoryLayout<kinfo_proc>.stride
      var name = [CTL_KERN, KERN_PROC, KERN_PROC_PID, id]
      // Succeeds with a size of 0 for a process that doesn't exist.
      guard sysctl(&name, UInt32(name.count), &info, &size, nil, 0) == 0, size > 0 else { return nil }
      let start = info.kp_proc.p_un.__p_starttime
      let command = withUnsafeBytes(of: info.kp_proc.p_comm) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      return Parent(
        name: command, start: Date(timeIntervalSince1970: Double(start.tv_sec) + Double(start.tv_usec) / 1e6),
        mark: Int(start.tv_sec) * 1_000_000 + Int(start.tv_usec))
    }
  }
#endif
