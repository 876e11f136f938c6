import TestSupport
import TrackingVerifier

/// The commands that the documentation shows, run against a verifier, print what the documentation says.
final class DocumentedCommandsTests: XCTestCase {
  private lazy var verifier = TrackingVerifier(
    with: self, configuration: .init(checksAtStop: [], reporter: RecordingReporter()))

  func testEachCommandPrintsWhatIsDocumented() throws {
    let shell = try Tool("sh")
    _ = try Tool("curl")
    verifier.start()
    // The examples assume this stub.
    verifier.stub(.post, "/books", .status(201))
    let port = try XCTUnwrap(verifier.baseURL.port)

    var count = 0
    for document in try Self.documents() {
      for example in try Self.examples(in: document) {
        let command = example.command.replacingOccurrences(of: ":8080", with: ":\(port)")
        let output = try shell.output("-c", command + " 2>/dev/null")
        XCTAssertEqual(
          Self.comparable(output), Self.comparable(example.output), "\(document.lastPathComponent): \(example.command)")
        count += 1
      }
    }
    XCTAssertGreaterThan(count, 0)
  }

  private struct Example {
    let command: String
    let output: String
  }

  private static func documents() throws -> [URL] {
    let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..").standardizedFileURL
    let sources = root.appending(path: "Sources")
    let articles = try FileManager.default.subpathsOfDirectory(atPath: sources.path).filter { $0.hasSuffix(".md") }
    return [root.appending(path: "README.md")] + articles.sorted().map { sources.appending(path: $0) }
  }

  /// The `curl` commands of a document's `console` blocks, each with the lines below it.
  private static func examples(in document: URL) throws -> [Example] {
    let text = try String(contentsOf: document, encoding: .utf8)
    return text.matches(of: /```console\n((?s).*?)```/).flatMap { block in
      block.1.components(separatedBy: "$ ").dropFirst().compactMap { part in
        let lines = part.split(separator: "\n", omittingEmptySubsequences: false)
        guard let command = lines.first, command.hasPrefix("curl ") else { return nil }
        return Example(command: String(command), output: lines.dropFirst().joined(separator: "\n"))
      }
    }
  }

  /// Without the time, and without the blank lines at the end.
  private static func comparable(_ output: String) -> String {
    output.replacing(/Date: .*/, with: "Date: (a time)").trimmingCharacters(in: .newlines)
  }
}
