import TrackingJSON

/// A server's tests as a JUnit XML suite, which CI services read.
struct JUnitFile {
  private let server: String
  private let tests: [JSONTree]

  init(_ response: JSONTree) {
    server = response["server"]?.string ?? ""
    tests = response["tests"]?.elements ?? []
  }

  var text: String {
    let failed = tests.count { $0["failures"]?.elements?.isEmpty == false }
    let seconds = tests.reduce(0) { $0 + ($1["seconds"]?.value.doubleValue ?? 0) }
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <testsuites>
        <testsuite name="\(server.escaped)" tests="\(tests.count)" failures="\(failed)" errors="0" skipped="0" time="\(seconds)">
      \(tests.map(testCase).joined(separator: "\n"))
        </testsuite>
      </testsuites>

      """
  }

  private func testCase(_ test: JSONTree) -> String {
    let name = (test["name"]?.string ?? "").escaped
    let start =
      "    <testcase classname=\"tracking serve\" name=\"\(name)\" time=\"\(test["seconds"]?.value.doubleValue ?? 0)\""
    let failures = test["failures"]?.elements ?? []
    guard let first = failures.first else { return "\(start)/>" }
    // Some services show only the first of several elements.
    let messages = failures.compactMap { $0["message"]?.string }
    let headline = messages.first.map { String($0.prefix { $0 != "\n" }) } ?? ""
    let others = failures.count > 1 ? " (1 of \(failures.count) failures)" : ""
    return """
      \(start)>
            <failure type="\((first["kind"]?.string ?? "").escaped)" message="\((headline + others).escaped)">\
      \(messages.joined(separator: "\n\n").escaped)</failure>
          </testcase>
      """
  }
}

extension String {
  /// The text as XML, with code points for characters that XML can't contain.
  fileprivate var escaped: String {
    printable.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
      .replacing("\"", with: "&quot;")
  }
}
