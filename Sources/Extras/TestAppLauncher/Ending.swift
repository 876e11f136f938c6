import Foundation

extension TestApp {
  /// The end of a program, as a test's failure shows it.
  public struct Ending: Hashable, Sendable {
    /// The exit status, or the number of the signal that ended the program.
    public let status: Int32
    /// Whether a signal ended the program, as in a crash or after ``TestApp/terminate()``.
    public let isSignal: Bool
    /// The last lines of standard error, at most 20.
    public let lastErrorLines: [String]

    init(status: Int32, isSignal: Bool, errorOutput: String) {
      self.status = status
      self.isSignal = isSignal
      lastErrorLines = errorOutput.split(whereSeparator: \.isNewline).suffix(20).map(String.init)
    }

    /// The words that follow "the program": `was ended by signal 11 (Segmentation fault)`.
    var state: String {
      guard isSignal else { return "has ended with status \(status)" }
      let name = strsignal(status).map { " (\(String(cString: $0)))" } ?? ""
      return "was ended by signal \(status)\(name)"
    }
  }
}

extension TestApp.Ending: CustomStringConvertible {
  /// The state and the last lines of standard error.
  public var description: String {
    guard !lastErrorLines.isEmpty else { return "the program \(state) and has written nothing to standard error" }
    let lines = lastErrorLines.map { "\n  \($0)" }.joined()
    return "the program \(state); the end of its standard error:\(lines)"
  }
}
