import TestSupport
import TrackingPlan

@testable import TrackingCommand

/// Coverage is worth something only if each test was checked against the plan that it is measured by.
final class PlanChecksTests: PlanToolTestCase {
  private let opened = [(TrackingEvent(name: "opened"), isMatched: true)]

  private func coverage(_ words: String...) -> (code: Int32, error: String) {
    var error = ""
    let code = Command.run(
      ["coverage", "--plan", path("plan.json")] + words,
      output: .init(standard: { _ in }, error: { error += $0 }))
    return (code, error.replacing(folder.path + "/", with: ""))
  }

  func testATestThatRanWithoutThePlanFailsTheCoverage() throws {
    try write(shop, to: "plan.json")
    try observe("CartTests.testOpening", opened)
    try observe("CartTests.testPaying", opened, checkedAgainst: nil)
    let result = coverage(path("observed"))
    assertText(
      result.error,
      """
      tracking coverage: 1 test was not checked against the plan "Shop" (\(try digest())): CartTests.testPaying; run them with TRACKING_PLAN (xcodebuild: TEST_RUNNER_TRACKING_PLAN), or accept this with --allow-unchecked

      """)
    XCTAssertEqual(result.code, 1)
    XCTAssertEqual(coverage(path("observed"), "--allow-unchecked").code, 0)
  }

  func testATestThatRanWithAnotherVersionOfThePlanFailsTheCoverage() throws {
    try write(shop, to: "old.json")
    try write(shop.replacing("\"opened\"", with: "\"opened_app\""), to: "plan.json")
    for number in 1...7 { try observe("T.t\(number)", opened, checkedAgainst: "old.json") }
    try observe("T.new", opened)
    let result = coverage(path("observed"))
    assertText(
      result.error,
      """
      tracking coverage: 7 tests were checked against "Shop" (\(try digest(of: "old.json"))), not against the plan "Shop" (\(try digest())): T.t1, T.t2, T.t3, T.t4, T.t5 and 2 more; run them with TRACKING_PLAN (xcodebuild: TEST_RUNNER_TRACKING_PLAN), or accept this with --allow-unchecked

      """)
    XCTAssertEqual(result.code, 1)
    XCTAssertTrue(
      run("coverage", "--plan", path("plan.json"), path("observed")).output
        .contains("checked:            1 of 8 tests were checked against the plan \"Shop\" (\(try digest()))"))
  }

  /// A test of another runner has no TRACKING_PLAN.
  func testTheAdviceForASessionOfServeIsItsOption() throws {
    try write(shop, to: "plan.json")
    try write(
      #"{"format":"tracking-session","version":1,"isServed":true,"entries":[{"kind":"event","name":"opened","params":{}}]}"#,
      to: "served.json")
    try write(
      #"{"format":"tracking-session","version":1,"title":"T.t","entries":[{"kind":"event","name":"opened","params":{}}]}"#,
      to: "test.json")
    let result = coverage(path("served.json"), path("test.json"))
    assertText(
      result.error.replacing(path(""), with: ""),
      """
      tracking coverage: 1 test was not checked against the plan "Shop" (\(try digest())): T.t; run them with TRACKING_PLAN (xcodebuild: TEST_RUNNER_TRACKING_PLAN), or accept this with --allow-unchecked
      tracking coverage: 1 test was not checked against the plan "Shop" (\(try digest())): served.json; start `tracking serve` with --plan, or accept this with --allow-unchecked

      """)
    XCTAssertEqual(result.code, 1)
  }

  func testATestIsUncheckedIfOneOfItsVerifiersHadNoPlan() throws {
    try write(shop, to: "plan.json")
    try observe("T.t", opened)
    try observe("T.t", opened, checkedAgainst: nil)
    XCTAssertEqual(coverage(path("observed")).code, 1)
  }

  func testASessionNamesItsPlan() throws {
    try write(shop, to: "plan.json")
    func session(_ plan: String) -> String {
      """
      {"format": "tracking-session", "version": 1, "title": "T.t"\(plan),
       "entries": [{"kind": "event", "number": 1, "name": "opened", "params": {}}]}
      """
    }
    try write(session(#", "plan": {"name": "Shop", "digest": "\#(try digest())", "events": []}"#), to: "with.json")
    try write(session(""), to: "without.json")
    XCTAssertEqual(coverage(path("with.json")).code, 0)
    XCTAssertEqual(coverage(path("without.json")).code, 1)
  }

  func testADigestIsOfTheContentAndNotOfItsIndentationOrPlace() throws {
    try write(shop, to: "plan.json")
    try write(shop.replacing("\n", with: "\r\n\t"), to: "elsewhere/copy.json")
    XCTAssertEqual(try digest(), try digest(of: "elsewhere/copy.json"))
    XCTAssertEqual(
      try digest(), try TrackingPlan(text: shop).identity.digest)
    try write(shop.replacing("Shop", with: "S hop"), to: "renamed.json")
    XCTAssertNotEqual(try digest(), try digest(of: "renamed.json"))
    XCTAssertEqual(try digest().count, 16)
    // Runs of different machines are compared, so the digest may not depend on the process.
    XCTAssertEqual(try TrackingPlan(text: #"{"events": {}}"#).identity.digest, "0a3fef79500d65b6")

    try write(#"{"events": {"a": {}}}"#, to: "split/a.json")
    try write(#"{"events": {"b": {}}}"#, to: "split/b.json")
    let before = try digest(of: "split")
    try FileManager.default.moveItem(atPath: path("split/b.json"), toPath: path("split/c.json"))
    XCTAssertNotEqual(before, try digest(of: "split"), "a reference may name the file")
  }
}
