#if os(Linux)
  import Foundation
  import XCTest

  /// A host that lacks something: this machine in separate namespaces, where a test of this process runs again.
  package enum OtherHost {
    private static let variable = "TEST_RUNS_ON_OTHER_HOST"

    /// Whether this process runs there.
    package static var isThis: Bool { ProcessInfo.processInfo.environment[variable] != nil }

    /// Runs a test there after a preparation in the shell; skips the test if namespaces can't be made.
    ///
    /// - Parameter option: The namespace, as an option of `unshare`.
    package static func run(_ test: String, with option: String, after preparation: String) throws {
      guard FileManager.default.isExecutableFile(atPath: "/usr/bin/unshare") else { throw XCTSkip("no unshare here") }
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/usr/bin/unshare")
      process.arguments = [
        option, "sh", "-c", "{ \(preparation); } || exit 77; exec \"$0\" \"$1\"",
        try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"), test,
      ]
      process.environment = ProcessInfo.processInfo.environment.merging([variable: "1"]) { $1 }
      let output = Pipe()
      process.standardOutput = output
      process.standardError = output
      try process.run()
      let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      process.waitUntilExit()
      if process.terminationStatus == 77 || text.contains("unshare failed") {
        throw XCTSkip("separate namespaces cannot be made here: \(text)")
      }
      XCTAssertEqual(process.terminationStatus, 0, text)
      XCTAssertTrue(text.contains("Executed 1 test, with 0 failures"), text)
    }
  }
#endif
