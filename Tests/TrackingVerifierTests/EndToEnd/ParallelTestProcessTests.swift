import XCTest

/// Four test processes at once, as a parallel run on CI has them.
final class ParallelTestProcessTests: XCTestCase {
  func testFourTestProcessesAtOnceAllPass() throws {
    let executable = try XCTUnwrap(Bundle.main.executableURL)
    try XCTSkipUnless(
      executable.pathExtension == "xctest", "where a test bundle isn't a program, the test runner does this")
    let runs = try (0..<4).map { _ in
      let process = Process()
      process.executableURL = executable
      process.arguments = ["TrackingVerifierTests.AppProcessTests/testFourAppsAtOnceReachTheirOwnVerifiers"]
      let output = Pipe()
      process.standardOutput = output
      process.standardError = output
      try process.run()
      return (process, output)
    }
    for (process, output) in runs {
      let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      process.waitUntilExit()
      XCTAssertEqual(process.terminationStatus, 0, text)
      XCTAssertTrue(text.contains("Executed 1 test, with 0 failures"), text)
    }
  }
}
