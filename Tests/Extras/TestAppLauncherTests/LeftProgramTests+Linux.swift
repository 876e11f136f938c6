#if os(Linux)
  import Foundation
  import TestAppLauncher
  import XCTest

  /// A program in a property of a test case, which XCTest keeps until the process exits.
  ///
  /// Here, since elsewhere the tests aren't an executable that can be run again.
  final class LeftProgramTests: XCTestCase {
    private let app = TestApp(executable: URL(filePath: "/bin/sh"))

    private func namedPipe() -> String {
      let path = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
      XCTAssertEqual(mkfifo(path, 0o600), 0)
      addTeardownBlock { unlink(path) }
      return path
    }

    func testAProgramEndsWithTheTestProcess() throws {
      if let script = ProcessInfo.processInfo.environment["LEFT_PROGRAM"] {
        // The inner run: it leaves a program behind.
        app.launchArguments = ["-c", script]
        try app.launch()
        return try app.waitForOutput(containing: "up")
      }
      let (pipe, never) = (namedPipe(), namedPipe())
      let reader = open(pipe, O_RDONLY | O_NONBLOCK)
      defer { close(reader) }
      let run = Process()
      run.executableURL = try XCTUnwrap(Bundle.main.executableURL)
      run.arguments = ["TestAppLauncherTests.LeftProgramTests/testAProgramEndsWithTheTestProcess"]
      // Not its input, which ends with the test process.
      run.environment = ProcessInfo.processInfo.environment.merging([
        "LEFT_PROGRAM": "exec 3>'\(pipe)'; echo up >&3; echo up; read line <'\(never)'"
      ]) { $1 }
      run.standardOutput = FileHandle.nullDevice
      run.standardError = FileHandle.nullDevice
      try run.run()
      run.waitUntilExit()
      XCTAssertEqual(run.terminationStatus, 0)
      var bytes = [UInt8](repeating: 0, count: 16)
      XCTAssertEqual(read(reader, &bytes, 16), 3, "the program has run")
      // The end of the pipe, because nothing has it open any more.
      var entry = pollfd(fd: reader, events: Int16(POLLIN), revents: 0)
      XCTAssertEqual(poll(&entry, 1, 10_000), 1, "the program still runs")
      let writer = open(never, O_WRONLY | O_NONBLOCK)
      if writer >= 0 { close(writer) }
    }
  }
#endif
