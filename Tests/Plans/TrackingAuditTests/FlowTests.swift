import TestSupport
import TrackingPatterns

@testable import TrackingAudit

final class FlowTests: XCTestCase {
  private let reporter = RecordingReporter()
  private lazy var verifier = TrackingVerifier(
    with: self, configuration: .init(timeout: 0.01, settling: 0, checksAtStop: [], reporter: reporter))

  /// A folder with a test's source file and, if there is a text, the file of its flow.
  private func withFile(_ text: String?, hasSources: Bool = true, _ body: (String, URL) throws -> Void) throws {
    let folder = try temporaryFolder()
    let source = folder.appendingPathComponent("T.swift")
    if hasSources { try Data().write(to: source) }
    let url = folder.appendingPathComponent("__Snapshots__/T/t.1.txt")
    if let text {
      try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: url)
    }
    try body(source.path, url)
  }

  private func place(
    _ file: String, _ test: TestParts = TestParts(suite: "T", function: "t"), folder: FlowFolder = .nextToTest,
    environment: [String: String] = [:]
  ) -> FlowPlace {
    FlowPlace(file: file, test: test, name: "1", folder: folder, environment: environment)
  }

  private func flow(_ events: [TrackingEvent]) -> EventFlow {
    EventFlow(events.map { EventFlow.Step($0, volatile: [.dates, .ids, .param("session")]) })
  }

  func testAFlowIsTextThatPeopleReadAndComesBack() {
    let flow = flow([
      TrackingEvent(
        name: "added", params: ["quantity": 1, "product_id": "42", "at": "2026-11-21T10:00:00.000Z", "session": 7]),
      TrackingEvent(name: "placed", params: ["items": [["id": "E621E1F8-C36C-495A-93FC-0C247A3E6E5F", "n": 1]]]),
      TrackingEvent(name: "shown"),
    ])
    assertText(
      flow.text,
      """
      added
        at: <date>
        product_id: "42"
        quantity: 1
        session: <any>
      placed
        items: [{"id": <uuid>, "n": 1}]
      shown

      """)
    XCTAssertEqual(EventFlow(text: flow.text), flow)
  }

  func testLineBreaksOfEveryKindAreEscaped() {
    let event = TrackingEvent(name: "a\u{2028}b\r\nc", params: ["d\u{85}e": .string("f\u{2029}g\n")])
    let flow = EventFlow([EventFlow.Step(event, volatile: [])])
    XCTAssertEqual(flow.text.split(whereSeparator: \.isNewline).count, 2, flow.text)
    XCTAssertEqual(flow.steps.map(\.title), [#"a\u{2028}b\u{D}\nc"#])
    XCTAssertEqual(EventFlow(text: flow.text), flow)
  }

  func testEachEventOfAFlowComesBackWhateverItsNameIs() {
    let flow = flow([
      TrackingEvent(name: ""), TrackingEvent(name: "  indented"), TrackingEvent(name: " \u{301}accented"),
      TrackingEvent(name: "last", params: ["\u{301}key": 1, "": 2, " ": "\r"]),
    ])
    XCTAssertEqual(
      flow.text, "\"\"\n\\u{20} indented\n\\u{20}\u{301}accented\nlast\n  : 2\n   : \"\\r\"\n  \u{301}key: 1\n")
    XCTAssertEqual(EventFlow(text: flow.text), flow)
    var random = RandomCases.generator(seed: 21)
    let pieces = ["", " ", "a", "\n", "\r\n", "\u{301}", "\"", ":", "\u{2028}", "\\"]
    func text() -> String {
      (0..<Int.random(in: 0...4, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
    }
    for _ in 0..<RandomCases.count(500) {
      let events = (0..<3).map { _ in
        TrackingEvent(name: text(), params: [TrackingParam(stringValue: text()): .string(text())])
      }
      let flow = self.flow(events)
      XCTAssertEqual(EventFlow(text: flow.text), flow, "\(events)")
    }
  }

  func testAMarkOfAnotherVerifierIsRefused() {
    let other = TrackingVerifier(with: self, configuration: .init(checksAtStop: [], reporter: reporter))
    verifier.tracker.trackEvent(.init(name: "added"))
    verifier.assertFlow(since: other.mark())
    XCTAssertEqual(reporter.kinds, [.misuse])
    XCTAssertFalse(reporter.attachments.contains { $0.form == .flow })
  }

  func testValuesThatThePlanDoesNotListArePlaceholdersOfTheirTypes() throws {
    let plan = try TrackingPlan(
      text: """
        {"types": {"Currency": {"enum": ["EUR", "USD"]}}, "events": {"placed": {"params": {
          "order_id": {"type": "string", "format": "uuid"}, "note": {"type": ["string", "null"]},
          "total": {"type": "number"}, "currency": {"$ref": "#/types/Currency"}, "is_gift": {"type": "boolean"},
          "items": {"type": "array", "items": {"type": "object", "properties": {"n": {"type": "integer"}}}},
          "tags": {"type": "array", "items": {"type": "string"}}, "count": {"type": "integer"}}}}}
        """)
    let params: [TrackingParam: TrackingValue] = [
      "order_id": "42", "note": "hello", "total": 3, "currency": "EUR", "is_gift": true, "items": [["n": 1], ["n": 2]],
      "tags": ["a", "b"], "count": "1", "unplanned": 5,
    ]
    let events = [TrackingEvent(name: "placed", params: params), TrackingEvent(name: "other", params: ["total": 1])]
    assertText(
      EventFlow(events.map { EventFlow.Step($0, volatile: [.planned(by: plan)]) }).text,
      """
      placed
        count: "1"
        currency: "EUR"
        is_gift: true
        items: [{"n": <integer>}, {"n": <integer>}]
        note: <string>
        order_id: <uuid>
        tags: [<string>, <string>]
        total: <number>
        unplanned: 5
      other
        total: 1

      """)
  }

  func testAMissingFlowIsRedEveryTimeAndHasTheTextToCommit() throws {
    try withFile(nil) { file, url in
      let flow = flow([TrackingEvent(name: "a", params: ["n": 1]), TrackingEvent(name: "b")])
      for _ in 1...2 {
        assertText(
          place(file).problem(with: flow),
          """
          The flow isn't recorded: there is no file t.1.txt
          The file would be \(url.path).
          To record it, run the test with TRACKING_FLOWS=record (xcodebuild: TEST_RUNNER_TRACKING_FLOWS=record), review the file and commit it, or save this text as __Snapshots__/T/t.1.txt:

          a
            n: 1
          b
          """)
      }
      XCTAssertFalse(FileManager.default.fileExists(atPath: url.path))
    }
  }

  func testAFlowIsRecordedWhenRequestedFailsThatRunAndHoldsAfterwards() throws {
    try withFile(nil) { file, url in
      let flow = flow([TrackingEvent(name: "a", params: ["n": 1]), TrackingEvent(name: "b")])
      for _ in 1...2 {
        assertText(
          place(file, environment: ["TRACKING_FLOWS": "record"]).problem(with: flow),
          """
          The flow was recorded (2 steps), so this test fails once: review it and commit it
          It is in \(url.path). Then run the test without TRACKING_FLOWS.
          """)
      }
      XCTAssertNil(place(file).problem(with: flow))
      XCTAssertNil(place(file, environment: ["TRACKING_FLOWS": ""]).problem(with: flow))
    }
  }

  func testAFlowThatCannotBeWrittenIsInTheFailure() throws {
    try withFile(nil) { file, url in
      // A file where a folder would have to be made.
      let folder = URL(fileURLWithPath: file).deletingLastPathComponent().appendingPathComponent("__Snapshots__")
      try? FileManager.default.removeItem(at: folder)
      try Data().write(to: folder)
      let message = place(file, environment: ["TRACKING_FLOWS": "record"]).problem(
        with: flow([TrackingEvent(name: "a")]))
      let reason = message?.firstMatch(of: /can't be written: (.*)\n/).map { String($0.output.1) } ?? "no reason"
      assertText(
        message,
        """
        The flow isn't recorded, because its file can't be written: \(reason)
        The file is \(url.path). Save this text, which is also attached to the test if attachments are kept, as __Snapshots__/T/t.1.txt:

        a
        """)
    }
  }

  func testNothingIsRecordedOnCIOrForAnotherValue() throws {
    try withFile(nil) { file, url in
      XCTAssertEqual(
        place(file, environment: ["TRACKING_FLOWS": "record", "CI": "true"]).problem(with: flow([])),
        "TRACKING_FLOWS is \"record\", and CI is set: on CI flows are only compared.")
      XCTAssertEqual(
        place(file, environment: ["TRACKING_FLOWS": "recrod"]).problem(with: flow([])),
        "TRACKING_FLOWS is \"recrod\"; the only value is \"record\".")
      XCTAssertFalse(FileManager.default.fileExists(atPath: url.path))
    }
  }

  func testWhereSourcesAreAbsentNothingIsWrittenAndTheTextIsInTheFailure() throws {
    try withFile(nil, hasSources: false) { file, url in
      let flow = flow([TrackingEvent(name: "a")])
      assertText(
        place(file).problem(with: flow),
        """
        The flow can't be read, because the test's sources aren't on this machine
        Read it from the test's bundle: `assertFlow(in: .bundle(...))`.
        To record it, run the test with TRACKING_FLOWS=record (xcodebuild: TEST_RUNNER_TRACKING_FLOWS=record), review the file and commit it, or save this text as __Snapshots__/T/t.1.txt:

        a
        """)
      assertText(
        place(file, environment: ["TRACKING_FLOWS": "record"]).problem(with: flow),
        """
        The flow isn't recorded, because the test's sources aren't on this machine
        Save this text as __Snapshots__/T/t.1.txt:

        a
        """)
      XCTAssertFalse(FileManager.default.fileExists(atPath: url.deletingLastPathComponent().path))
    }
  }

  func testAFlowIsReadFromTheResourcesOfABundle() throws {
    try withFile("a\n", hasSources: false) { file, url in
      let folder = URL(fileURLWithPath: file).deletingLastPathComponent()
      let bundle = try XCTUnwrap(Bundle(path: folder.path))
      let inBundle = place(file, folder: .bundle(bundle))
      XCTAssertNil(inBundle.problem(with: flow([TrackingEvent(name: "a")])))
      let other = place("/nowhere/Other.swift", TestParts(suite: "U", function: "t"), folder: .bundle(bundle))
      assertText(
        other.problem(with: flow([TrackingEvent(name: "a")])),
        """
        The flow isn't recorded: the bundle has no such resource
        \(folder.lastPathComponent) has no resource __Snapshots__/U/t.1.txt. If the file exists, add its folder __Snapshots__ to the test target: in a package as the resource .copy("__Snapshots__"), in Xcode as a folder reference.
        To record it, run the test with TRACKING_FLOWS=record (xcodebuild: TEST_RUNNER_TRACKING_FLOWS=record), review the file and commit it, or save this text as __Snapshots__/U/t.1.txt:

        a
        """)
    }
  }

  func testAFileIsNamedByTheSuiteTheFunctionAndTheArgument() {
    func name(_ test: TestParts?, _ file: String = "/tests/Checkout.swift") -> String {
      let message = FlowPlace(
        file: file, test: test, name: "1", folder: .bundle(Bundle.main), environment: [:]
      ).problem(with: EventFlow([]))
      return message?.firstMatch(of: /no resource (\S+txt)\./).map { String($0.output.1) } ?? ""
    }
    XCTAssertEqual(name(TestParts(suite: "A", function: "testBuying")), "__Snapshots__/A/testBuying.1.txt")
    XCTAssertEqual(name(TestParts(suite: "B.Inner", function: "testBuying")), "__Snapshots__/B.Inner/testBuying.1.txt")
    XCTAssertEqual(name(TestParts(suite: nil, function: "buying")), "__Snapshots__/Checkout/buying.1.txt")
    XCTAssertEqual(
      name(TestParts(suite: "A", function: "buying", argument: .text("42"))), "__Snapshots__/A/buying.42.1.txt")
    // Texts that only differ in characters that files don't take, or at their ends, have separate files.
    let arguments = ["a b", "a/b", "a-b", "", String(repeating: "x", count: 61), String(repeating: "x", count: 62)]
    XCTAssertEqual(
      Set(arguments.map { name(TestParts(suite: "A", function: "buying", argument: .text($0))) }).count, 6)
  }

  func testAChangedFlowIsShownByEventAndParam() throws {
    try withFile("a\n  n: 1\n  s: \"x\"\nb\nc\n  id: <any>\nd\n") { file, url in
      let now = flow([
        TrackingEvent(name: "a", params: ["n": 2, "s": "x", "t": true]), TrackingEvent(name: "b"),
        TrackingEvent(name: "c", params: ["id": 99]), TrackingEvent(name: "e", params: ["m": 1]),
      ])
      assertText(
        place(file).problem(with: now),
        """
        The flow differs from the recorded one; the first difference is in a

        - recorded, + now:
            a
        -     n: 1
        +     n: 2
        +     t: true
            ... 2 equal
        -   d
        +   e
        +     m: 1

        It is recorded in \(url.path). If it changed on purpose, run the test with TRACKING_FLOWS=record (xcodebuild: TEST_RUNNER_TRACKING_FLOWS=record), review the file and commit it.
        """)
    }
  }

  func testTheFirstDifferenceIsTheFirstStepWithoutAnEqualOne() {
    func first(_ recorded: String, _ now: String) -> String? {
      func flow(_ text: String) -> EventFlow {
        EventFlow(text: text.replacing(" ", with: "\n").replacing("/", with: "\n  "))
      }
      let difference = flow(now).firstDifference(from: flow(recorded))
      return difference.map { "\($0.words.text)\($0.position.map { " at \($0)" } ?? "")" }
    }
    XCTAssertEqual(first("a b", "a b"), nil)
    // A second copy; a step that has moved.
    XCTAssertEqual(first("a b", "a a b"), "an extra step, a at 1")
    XCTAssertEqual(first("a b", "a b a b"), "an extra step, a at 2")
    XCTAssertEqual(first("a b c", "b a c"), "a missing step, a")
    // Missing, replaced, renamed after a missing one, changed.
    XCTAssertEqual(first("a b b c", "a b c"), "a missing step, b")
    XCTAssertEqual(first("a b c", "a x c"), "x instead of b at 1")
    XCTAssertEqual(first("a b c d", "a c x"), "a missing step, b")
    XCTAssertEqual(first("a/n:1 b/n:1", "a/n:1 b/n:2 c"), "in b at 1")
    XCTAssertEqual(first("a b/n:1", "b/n:2"), "a missing step, a")
    XCTAssertEqual(first("", "a"), "an extra step, a at 0")
    XCTAssertEqual(first("a", ""), "a missing step, a")
  }

  func testAChangedFlowNamesTheAppsLineOfTheFirstDifference() throws {
    verifier.tracker.track(.init(name: "added"))
    let (_, line) = (verifier.tracker.track(.init(name: "added")), #line as UInt)
    verifier.tracker.track(.init(name: "placed"))
    verifier.assertFlow(named: "1")
    assertText(
      reporter.messages.first?.split(separator: "\n\n").first.map(String.init),
      """
      The flow differs from the recorded one; the first difference is an extra step, added
      #2 was tracked at FlowTests.swift:\(line)
      """)
  }

  func testAVerifierComparesItsEventsSinceAMark() throws {
    verifier.tracker.trackEvent(.init(name: "before"))
    let mark = verifier.mark()
    verifier.tracker.trackEvent(.init(name: "added", params: ["id": 1, "key": "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"]))
    verifier.assertFlow(since: mark)
    XCTAssertEqual(reporter.messages, [])
    verifier.tracker.trackEvent(.init(name: "more"))
    verifier.assertFlow(named: "1", since: mark)
    XCTAssertEqual(reporter.kinds, [.changedFlow])
    let folder = URL(filePath: #filePath).deletingLastPathComponent().path
    assertText(
      reporter.messages[0],
      """
      The flow differs from the recorded one; the first difference is an extra step, more

      - recorded, + now:
          ... 1 equal
      +   more

      It is recorded in \(folder)/__Snapshots__/FlowTests/testAVerifierComparesItsEventsSinceAMark.1.txt. If it changed on purpose, run the test with TRACKING_FLOWS=record (xcodebuild: TEST_RUNNER_TRACKING_FLOWS=record), review the file and commit it.
      """)
  }

  func testTheNumberOfAFlowBelongsToItsVerifierAndTheTextIsAttached() throws {
    for _ in 1...3 {
      let verifier = TrackingVerifier(
        with: self, configuration: .init(timeout: 0.01, settling: 0, checksAtStop: [], reporter: reporter))
      verifier.assertFlow()
      verifier.assertFlow()
    }
    XCTAssertEqual(
      reporter.attachments.map(\.fileName),
      Array(repeating: (1...2).map { "\(testParts.function).\($0).txt" }, count: 3).flatMap(\.self))
    XCTAssertEqual(reporter.attachments.map(\.form), Array(repeating: .flow, count: 6))
    XCTAssertEqual(reporter.kinds, Array(repeating: .changedFlow, count: 6))
  }

  private var testParts: TestParts { verifier.testParts ?? TestParts(suite: nil, function: "") }

  func testAHelpersFlowHasTheNameOfTheTest() {
    func helper() { verifier.assertFlow(named: "helper") }
    helper()
    XCTAssertEqual(reporter.attachments.map(\.fileName), ["testAHelpersFlowHasTheNameOfTheTest.helper.txt"])
    XCTAssertTrue(
      reporter.messages[0].contains("/__Snapshots__/FlowTests/testAHelpersFlowHasTheNameOfTheTest.helper.txt."),
      reporter.messages[0])
  }

  func testATimeoutMayBeInfinite() {
    let verifier = TrackingVerifier(
      with: self, configuration: .init(timeout: .infinity, settling: 0, checksAtStop: [], reporter: reporter))
    verifier.assertFlow()
    XCTAssertEqual(reporter.kinds, [.changedFlow])
  }

  /// Its waits can't be checked, and it would check them again until the timeout.
  func testABlockingComparisonInATaskFailsAtOnce() async {
    let verifier = TrackingVerifier(
      with: self, configuration: .init(timeout: .infinity, settling: 0, checksAtStop: [], reporter: reporter))
    func compare() { verifier.assertFlow() }
    compare()
    XCTAssertEqual(reporter.kinds, [.misuse])
  }

  func testACancelledTestDoesNotWaitForAFlow() async {
    let verifier = TrackingVerifier(
      with: self, configuration: .init(timeout: .infinity, settling: 60, checksAtStop: [], reporter: reporter))
    let comparison = Task { await verifier.assertFlow() }
    comparison.cancel()
    await comparison.value
    XCTAssertEqual(reporter.kinds, [.cancelled])
  }

  func testAnAsynchronousTestComparesTheSame() async {
    verifier.tracker.trackEvent(.init(name: "added"))
    await verifier.assertFlow()
    XCTAssertEqual(reporter.messages, [])
  }
}

final class OtherFlowTests: XCTestCase {
  func testAVerifierComparesItsEventsSinceAMark() {
    let reporter = RecordingReporter()
    let verifier = TrackingVerifier(
      with: self, configuration: .init(timeout: 0.01, settling: 0, checksAtStop: [], reporter: reporter))
    verifier.assertFlow()
    XCTAssertTrue(
      reporter.messages.first?.contains(
        "__Snapshots__/OtherFlowTests/testAVerifierComparesItsEventsSinceAMark.1.txt") == true,
      "a class in the same file, with a test of the same name, has a separate file: \(reporter.messages)")
  }
}
