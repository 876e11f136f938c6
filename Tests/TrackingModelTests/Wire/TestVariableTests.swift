import TestSupport

final class TestVariableTests: XCTestCase {
  func testAnEmptyVariableIsTheSameAsNone() {
    for variable in TestVariable.all {
      XCTAssertEqual(
        [[:], [variable.name: ""], [variable.name: "value"]].map { variable.value(in: $0) }, [nil, nil, "value"],
        variable.name)
      let isOn = ["", "0", "off", "value"].map { variable.isOn(in: [variable.name: $0]) }
      XCTAssertEqual(isOn, [false, false, false, variable.values == nil], variable.name)
      for value in variable.values ?? [] {
        XCTAssertEqual(variable.isOn(in: [variable.name: value]), !["0", "off"].contains(value), variable.name)
      }
    }
  }

  func testTheVariablesOfARunAndOfALaunchAreRight() {
    var environment = [
      "PATH": "/bin", "CI": "true", "TRACKING_URL": "u", "TRACKING_SESSION": "s", "TRACKING_STUBS": "t",
    ]
    for variable in TestVariable.all { environment[variable.name] = variable.values?.first ?? "value" }
    environment[TestVariable.timeoutScale.name] = "0.5"
    XCTAssertEqual(TestVariable.warnings(about: environment), [])
    XCTAssertEqual(TestVariable.warnings(about: environment.mapValues { _ in "" }), [])
    for variable in TestVariable.all where variable.name != TestVariable.timeoutScale.name {
      for value in variable.values ?? ["", "0", "off", "/a b", "http://x"] {
        XCTAssertEqual(TestVariable.warnings(about: [variable.name: value]), [], variable.name)
      }
    }
  }

  func testTheArticleHasEachVariableWithItsMeaning() throws {
    let article = try String(
      contentsOf: URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(
        path: "../../../Sources/TrackingVerifier/TrackingVerifier.docc/EnvironmentVariables.md"), encoding: .utf8)
    let rows = TestVariable.all.map { variable in
      let product = variable.product.map { $0.contains(" ") ? $0 : "`\($0)`" }
      return "| `\(variable.name)` | \(variable.meaning) |\(product.map { " \($0) " } ?? " ")|"
    }
    let table = rows.joined(separator: "\n")
    XCTAssertTrue(article.contains(table), "the article has other rows; replace them by\n\(table)")
  }

  func testAMisspeltVariableIsToldFromThoseOfOthers() {
    for (name, meant) in [
      ("TRACKING_PLANS", "TRACKING_PLAN"), ("TRACKING_OBSERVATION", "TRACKING_OBSERVATIONS"),
      ("TRACKING_OBSERVATOINS", "TRACKING_OBSERVATIONS"), ("TRACKING_FLOW", "TRACKING_FLOWS"),
      ("TRACKING_INSPECT0R", "TRACKING_INSPECTOR"), ("TRACKNG_PLAN", "TRACKING_PLAN"),
      ("tracking_plan", "TRACKING_PLAN"),
      ("TRACKING-RUN", "TRACKING_RUN"), ("TRACKING_MUTATION", "TRACKING_MUTATIONS"),
      ("TRACKING_SERVER", "TRACKING_SERVE"),
    ] {
      XCTAssertEqual(
        TestVariable.warnings(about: [name: "x"]), ["the variable \(name) isn't read: did you mean \(meant)?"])
      XCTAssertEqual(TestVariable.warnings(about: [name: ""]), [])
    }
    for name in [
      "TRACKING_ID", "TRACKING_API_KEY", "TRACKING_ENV", "TRACKING_HOST", "TRACKING", "TRACKING_CAPTURES",
      "TRACKING_NESTED_RUN", "TRACKING_RECORD_TEXTS", "TRACKING_SDKS", "TRACKING_TESTS_REQUIREMENT", "PLAN",
    ] {
      XCTAssertEqual(TestVariable.warnings(about: [name: "x"]), [], name)
    }
  }

  func testAValueThatAVariableDoesNotTakeIsNamed() {
    XCTAssertEqual(
      TestVariable.warnings(about: [
        "TRACKING_INSPECTOR": "yes", "TRACKING_FLOWS": "rec", "TRACKING_MUTATIONS": "tr\nue",
        "TRACKING_RECORD": "append",
      ]),
      [
        "TRACKING_FLOWS can't be \"rec\": its value is record",
        "TRACKING_RECORD can't be \"append\": its values are replay, once and rewrite",
        "TRACKING_INSPECTOR can't be \"yes\": its values are 1, hold, 0 and off",
        #"TRACKING_MUTATIONS can't be "tr\nue": its values are 1, 0 and off"#,
      ])
  }

  func testAVariableForXcodesRunnerIsToldWhereItHasNoEffect() {
    XCTAssertEqual(
      TestVariable.warnings(about: ["TEST_RUNNER_TRACKING_PLAN": "p"]),
      ["TEST_RUNNER_TRACKING_PLAN isn't read here: only xcodebuild passes it on, as TRACKING_PLAN"])
    // A runner that has both was passed the other.
    XCTAssertEqual(TestVariable.warnings(about: ["TEST_RUNNER_TRACKING_PLAN": "p", "TRACKING_PLAN": "p"]), [])
    XCTAssertEqual(TestVariable.warnings(about: ["TEST_RUNNER_OTHER": "p"]), [])
  }

  /// The article is the only other place that lists the variables.
  func testTheArticleHasEachVariableWithItsValues() throws {
    let package = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..").standardized
    let article = package.appending(path: "Sources/TrackingVerifier/TrackingVerifier.docc/EnvironmentVariables.md")
    let rows = try String(contentsOf: article, encoding: .utf8).split(separator: "\n").filter { $0.hasPrefix("| `") }
    for variable in TestVariable.all {
      let row = try XCTUnwrap(rows.first { $0.split(separator: "|")[0].contains("`\(variable.name)`") }, variable.name)
      guard let values = variable.values?.filter({ !["0", "off"].contains($0) }) else { continue }
      let meaning = row.split(separator: "|")[1]
      XCTAssertEqual(
        Set(meaning.matches(of: /`([a-z0-9]+)`/).map { String($0.1) }), Set(values), variable.name)
    }
  }
}
