#if os(Linux)
  import Foundation

  extension TestRun {
    static func process(_ id: Int32) -> Parent? {
      // proc(5): `7152 (swift-test) S ...`. The 22nd field is the start, in ticks since boot.
      guard let text = try? String(contentsOfFile: "/proc/\(id)/stat", encoding: .utf8),
        let opening = text.firstIndex(of: "("), let closing = text.lastIndex(of: ")")
      else { return nil }
      let fields = text[closing...].split(separator: " ").dropFirst()
      var uptime = timespec()
      guard fields.count > 19, let ticks = Double(fields[fields.startIndex + 19]),
        clock_gettime(CLOCK_BOOTTIME, &uptime) == 0
      else { return nil }
      let age = Double(uptime.tv_sec) + Double(uptime.tv_nsec) / 1e9 - ticks / Double(sysconf(Int32(_SC_CLK_TCK)))
      return Parent(
        name: String(text[text.index(after: opening)..<closing]), start: Date(timeIntervalSinceNow: -age),
        mark: Int(ticks))
    }
  }
#endif
