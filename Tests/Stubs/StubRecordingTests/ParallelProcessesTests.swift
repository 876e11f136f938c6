import TestSupport
import TrackingVerifier

@testable import StubRecording

/// Several processes that want to record into one folder, as `swift test --parallel` starts them.
final class ParallelProcessesTests: RecordingTestCase {
  /// Runs in each of the processes: sends a request, and waits for the end of its input.
  func testAsOneOfSeveralProcesses() async throws {
    let environment = ProcessInfo.processInfo.environment
    guard let path = environment["PROBE_FOLDER"],
      let upstream = environment["PROBE_UPSTREAM"].flatMap(URL.init(string:))
    else { throw XCTSkip("The other tests of this class run it, each in a separate process.") }
    let reporter = RecordingReporter()
    let verifier = TrackingVerifier(
      with: self,
      configuration: .init(
        recording: .folder(at: URL(filePath: path), upstreams: ["/*": upstream]), reporter: reporter))
    verifier.start()
    if reporter.sentences.isEmpty {
      _ = try await Client(verifier.baseURL).get(
        environment["PROBE_TARGET"] ?? "/", ["Authorization": "Bearer \(environment["PROBE_TOKEN"] ?? "")"])
      FileHandle.standardOutput.write(Data("PROBE records\n".utf8))
      _ = readLine()
    }
    verifier.stop()
    for sentence in reporter.sentences { FileHandle.standardOutput.write(Data("PROBE \(sentence)\n".utf8)) }
  }

  /// A process, with the text that it has written.
  private final class Probe {
    let process = Process()
    private let input = Pipe()
    private let output = Pipe()

    /// - Parameters:
    ///   - shell: The program that starts the tests' own program and waits for it.
    ///   - script: What it runs; `"$0" "$1"` is the tests' own program.
    init(_ shell: URL, _ environment: [String: String], script: String = #""$0" "$1"; true"#) throws {
      process.executableURL = shell
      process.arguments = [
        "-c", script, CommandLine.arguments[0],
        "StubRecordingTests.ParallelProcessesTests/testAsOneOfSeveralProcesses",
      ]
      var all = ProcessInfo.processInfo.environment
      all["CI"] = nil
      process.environment = all.merging(environment) { $1 }
      process.standardInput = input
      process.standardOutput = output
      process.standardError = output
      try process.run()
    }

    private var text = ""

    /// Reads until the process has written a line that begins with `PROBE`, or has ended.
    func next() -> String {
      while true {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        if let place = lines.dropLast().firstIndex(where: { $0.hasPrefix("PROBE ") }) {
          text = lines[(place + 1)...].joined(separator: "\n")
          return String(lines[place].dropFirst("PROBE ".count))
        }
        let data = output.fileHandleForReading.availableData
        guard !data.isEmpty else { return "ended" }
        text += String(decoding: data, as: UTF8.self)
      }
    }

    func finish() {
      try? input.fileHandleForWriting.close()
      while next() != "ended" {}
      process.waitUntilExit()
    }
  }

  /// A shell under another name: what it starts looks as if `swift test` had started it.
  private func shell(_ name: String) throws -> URL {
    guard CommandLine.arguments[0].hasSuffix(".xctest") else { throw XCTSkip("Here, the tests aren't a program.") }
    let link = folder.deletingLastPathComponent().deletingLastPathComponent().appending(path: name)
    try? FileManager.default.createSymbolicLink(at: link, withDestinationURL: URL(filePath: "/bin/sh"))
    return link
  }

  private func environment(_ mode: String, _ upstream: URL, _ target: String) -> [String: String] {
    [
      "TRACKING_RECORD": mode, "PROBE_FOLDER": folder.path(percentEncoded: false),
      "PROBE_UPSTREAM": upstream.absoluteString, "PROBE_TARGET": target,
      "PROBE_TOKEN": "token-of-\(target.dropFirst())-1234",
    ]
  }

  private func recorded() throws -> [String] {
    try BackendRecording(contentsOf: folder).exchanges.map(\.request.path).sorted()
  }

  func testAnotherProcessIsRefusedBeforeItsTest() throws {
    let (backend, shell) = (try backend(), try shell("sh"))
    let first = try Probe(shell, environment("rewrite", backend.url, "/text"))
    XCTAssertEqual(first.next(), "records")
    let second = try Probe(shell, environment("once", backend.url, "/gzip"))
    let refusal = second.next()
    let path = folder.path(percentEncoded: false)
    XCTAssertTrue(
      refusal.hasPrefix("The recording can't be used: another test is recording into "), refusal)
    XCTAssertTrue(refusal.contains("In full: \(path)"), refusal)
    second.finish()
    first.finish()
    XCTAssertEqual(try recorded(), ["/text"])
  }

  func testALaterProcessOfTheSameRunIsRefusedAndThatOfAnotherRunReplacesIt() throws {
    let (backend, shell) = (try backend(), try shell("swift-test"))
    for target in ["/text", "/order"] {
      let script = #"for target in \#(target) /gzip; do PROBE_TARGET=$target "$0" "$1" < /dev/null; done; true"#
      let run = try Probe(shell, environment("rewrite", backend.url, "/books"), script: script)
      XCTAssertEqual(run.next(), "records")
      let refusal = run.next()
      XCTAssertTrue(refusal.contains("was recorded by another test already Each recording belongs to"), refusal)
      run.finish()
      XCTAssertEqual(try recorded(), [target])
    }
  }
}
