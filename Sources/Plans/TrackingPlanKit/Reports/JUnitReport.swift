/// A suite of tests as JUnit XML.
struct JUnitReport {
  enum Outcome {
    case passed(String)
    case skipped(String)
    case failed([(message: String, text: String)])
  }

  /// A test with its name, such as `CartTests.testBuying`.
  typealias Case = (name: String, outcome: Outcome)

  let text: String

  /// - Parameter plan: The plan that the events were checked against; `nil` if each case says it.
  init(suite: String, plan: String? = nil, _ cases: [Case]) {
    let failures = cases.count { if case .failed = $0.outcome { true } else { false } }
    let skipped = cases.count { if case .skipped = $0.outcome { true } else { false } }
    // Jenkins' schema requires `errors`.
    let counts = #"tests="\#(cases.count)" failures="\#(failures)" errors="0""#
    let property = plan.map { [#"<property name="tracking.plan" value="\#(Self.escaped($0))"/>"#] }
    let content = (property.map { Self.element("properties", $0) } ?? []) + cases.flatMap(Self.lines)
    let start = #"testsuite name="\#(Self.escaped(suite))" \#(counts) skipped="\#(skipped)""#
    let lines = Self.element("testsuites \(counts)", Self.element(start, content))
    text = ([#"<?xml version="1.0" encoding="UTF-8"?>"#] + lines).map { $0 + "\n" }.joined()
  }

  /// The suite and the rest of a test's name.
  static func parts(of name: String) -> (suite: String, name: String) {
    let parts = name.split(separator: ".", maxSplits: 1).map(String.init)
    return (parts.first ?? name, parts.last ?? name)
  }

  private static func lines(of test: Case) -> [String] {
    let (suite, name) = parts(of: test.name)
    let content =
      switch test.outcome {
      case .passed(let output): output.isEmpty ? [] : ["<system-out>\(escaped(output))</system-out>"]
      case .skipped(let reason): [#"<skipped message="\#(escaped(reason))"/>"#]
      case .failed(let failures):
        failures.map { #"<failure message="\#(escaped($0.message))">\#(escaped($0.text))</failure>"# }
      }
    return element(#"testcase classname="\#(escaped(suite))" name="\#(escaped(name))""#, content)
  }

  private static func element(_ start: String, _ content: [String]) -> [String] {
    content.isEmpty
      ? ["<\(start)/>"] : ["<\(start)>"] + content.map { "  " + $0 } + ["</\(start.prefix { $0 != " " })>"]
  }

  /// Escapes XML's special characters, and leaves out control characters that XML 1.0 (2.2) doesn't allow.
  private static func escaped(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "") { escaped, scalar in
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "\u{FFFE}", "\u{FFFF}": break
      default:
        if scalar.value >= 0x20 || ["\t", "\n", "\r"].contains(scalar) { escaped.unicodeScalars.append(scalar) }
      }
    }
  }
}
