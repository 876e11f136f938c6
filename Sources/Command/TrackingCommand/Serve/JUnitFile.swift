import TrackingJSON
import TrackingPlan

/// A server's tests as a JUnit XML suite, which CI services read.
///
/// A test that failed and was repeated is left out: the output of its last attempt has the failure.
struct JUnitFile {
  private let server: String
  private let tests: [ServedTest]
  private let retried: [Int: [ServedTest]]

  /// Creates the file of the response of a finish.
  init(_ response: JSONTree) {
    let server = response["server"]?.string ?? ""
    let all = (response["tests"]?.elements ?? []).enumerated().map { ServedTest($1, place: $0, server: server) }
    self.server = server
    tests = all.withoutRetriedFailures
    retried = all.retriedFailures
  }

  var text: String {
    let failed = tests.count(where: \.hasFailed)
    let time = tests.reduce(0) { $0 + $1.milliseconds }.seconds
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <testsuites>
        <testsuite name="\(server.escaped)" tests="\(tests.count)" failures="\(failed)" errors="0" skipped="0" time="\(time)">
      \(tests.map(testCase).joined(separator: "\n"))
        </testsuite>
      </testsuites>

      """
  }

  private func testCase(_ test: ServedTest) -> String {
    let name = (test.name.isEmpty ? server : test.name).attribute
    let start = "    <testcase classname=\"tracking serve\" name=\"\(name)\" time=\"\(test.milliseconds.seconds)\""
    let parts = [failure(of: test), output(of: test)].compactMap(\.self)
    guard !parts.isEmpty else { return "\(start)/>" }
    return "\(start)>\n\(parts.map { "      \($0)\n" }.joined())    </testcase>"
  }

  private func failure(of test: ServedTest) -> String? {
    guard let first = test.failures.first else { return nil }
    // Some services show only the first of several elements.
    let messages = test.failures.map(\.message)
    let headline = messages[0].prefix { $0 != "\n" }
    let others = messages.count > 1 ? " (1 of \(messages.count) failures)" : ""
    return """
      <failure type="\(first.kind.attribute)" message="\((headline + others).attribute)">\
      \(messages.joined(separator: "\n\n").escaped)</failure>
      """
  }

  /// The failures of the test's earlier attempts.
  private func output(of test: ServedTest) -> String? {
    let attempts = retried[test.place] ?? []
    guard !attempts.isEmpty else { return nil }
    let messages = attempts.flatMap(\.failures).map(\.message).joined(separator: "\n\n")
    return "<system-out>Failed before, and was repeated:\n\n\(messages.escaped)</system-out>"
  }
}

extension Int {
  /// The milliseconds in seconds: `0.283`.
  fileprivate var seconds: String { "\(self / 1_000).\("\(self % 1_000 + 1_000)".dropFirst())" }
}

extension StringProtocol {
  /// The text as XML, with code points for characters that XML can't contain (XML 1.0, 2.2).
  fileprivate var escaped: String {
    String(self).printable.replacing("\u{FFFE}", with: "\\u{fffe}").replacing("\u{FFFF}", with: "\\u{ffff}")
      .replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
      .replacing("\"", with: "&quot;")
  }

  /// The text as the value of an attribute, in which a parser reads line breaks as spaces.
  fileprivate var attribute: String { escaped.replacing("\n", with: "&#10;").replacing("\t", with: "&#9;") }
}
