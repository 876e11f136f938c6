import Foundation

@available(iOS, unavailable)
@available(tvOS, unavailable)
@available(visionOS, unavailable)
@available(watchOS, unavailable)
extension TestApp {
  /// The end of a program, as a test's failure shows it.
  public struct Ending: Hashable, Sendable {
    /// The exit status, or the number of the signal that ended the program.
    public let status: Int32
    /// Whether a signal ended the program, as in a crash or after ``TestApp/terminate()``.
    public let isSignal: Bool
    /// The last lines of standard error, at most 20; after a Swift crash those with its reason, and the frames of the crashed thread.
    package let lastErrorLines: [String]
    /// Whether the lines are taken from a crash report.
    private let hasCrashReport: Bool

    init(status: Int32, isSignal: Bool, errorOutput: String) {
      self.status = status
      self.isSignal = isSignal
      let lines = errorOutput.split(whereSeparator: \.isNewline).map(String.init)
      let report = CrashReport(in: lines)
      hasCrashReport = report != nil
      lastErrorLines =
        report?.excerpt(atMost: Self.mostLines) ?? CrashReport.reasonAndEnd(of: lines[...], Self.mostLines)
    }

    private static let mostLines = 20

    /// Completes "the program": `was ended by signal 11 (Segmentation fault)`.
    var state: String {
      guard isSignal else { return "exited with status \(status)" }
      let name = strsignal(status).map { " (\(String(cString: $0)))" } ?? ""
      return "was ended by signal \(status)\(name)"
    }
  }
}

@available(iOS, unavailable)
@available(tvOS, unavailable)
@available(visionOS, unavailable)
@available(watchOS, unavailable)
extension TestApp.Ending: CustomStringConvertible {
  /// The state and the last lines of standard error.
  public var description: String {
    guard !lastErrorLines.isEmpty else { return "The program \(state) and wrote nothing to standard error" }
    let lines = lastErrorLines.map { "\n  \($0)" }.joined()
    return "The program \(state); \(hasCrashReport ? "from" : "the end of") its standard error:\(lines)"
  }
}

/// A report of Swift's backtracer about a crash: each thread's frames, then registers and images.
private struct CrashReport {
  /// The lines before the report, the last of which are about the crash.
  private let before: ArraySlice<String>
  /// The reason, if it was written after the report had begun.
  private let lateReason: String?
  /// `Thread 0 "shop" crashed:`.
  private let title: String
  private let frames: [String]

  init?(in lines: [String]) {
    guard let start = lines.firstIndex(where: { $0.hasPrefix("*** Signal ") || $0.hasPrefix("*** Program crashed: ") }),
      let crashed = lines[start...].firstIndex(where: { $0.hasPrefix("Thread ") && $0.hasSuffix(" crashed:") })
    else { return nil }
    before = lines[..<start]
    lateReason =
      before.contains { $0.contains(Self.reason) } ? nil : lines[(start + 1)...].last { $0.contains(Self.reason) }
    title = lines[crashed]
    // Between the frames may be lines of source code, with a bar behind their number.
    frames = lines[(crashed + 1)...]
      .prefix { $0.first?.isWhitespace == true || $0.first?.isNumber == true || $0 == "..." }
      .compactMap { line in
        // Without the address, which differs in each run.
        (try? /\s*([0-9]+)\s+(?:\[[^\]]*\]\s+)*0x[0-9a-f]+\s+(.*)/.wholeMatch(in: line)).flatMap { $0 }.map {
          "  \($0.1) \($0.2)"
        }
      }
  }

  func excerpt(atMost count: Int) -> [String] {
    let frames = frames.prefix(count / 2)
    let first = lateReason.map { [$0] } ?? []
    return first + Self.reasonAndEnd(of: before, count - first.count - frames.count - 1) + [title] + frames
  }

  private static let reason = "Fatal error: "

  /// The last lines, preceded by the one with the reason of a crash if it isn't among them.
  static func reasonAndEnd(of lines: ArraySlice<String>, _ count: Int) -> [String] {
    let end = lines.suffix(count)
    guard let reason = lines.lastIndex(where: { $0.contains(Self.reason) }), reason < end.startIndex else {
      return Array(end)
    }
    return [lines[reason]] + end.dropFirst()
  }
}
