import Testing

@Suite(.enabled(if: NestedRun.isPossible))
struct NestedRunTests {
  private static let fixtures = Task { try await NestedRun.ofSwiftTesting("TrackingTestingTests.Fixtures/") }

  private static let noEventCame = """
    No event button_tapped(event_name: "button1_tapped", screen: "main_screen") arrived within 0 s; nothing arrived at all

    `launchEnvironment` wasn't passed to any app, so only `verifier.tracker` could send events.
    """

  @Test(
    "a failure belongs to its test and to the line that waited, and is reported once",
    arguments: [
      ("aFailedWait", FixtureLine.aFailedWait.number),
      ("aFailedRequirement", FixtureLine.aFailedRequirement.number),
      ("oneFailingArgument", FixtureLine.oneFailingArgument.number),
      ("aDetachedTask", FixtureLine.aDetachedTask.number),
    ])
  func failuresBelongToTheirTests(test: String, line: Int) async throws {
    let issues = try await Self.fixtures.value.issues.filter { $0.test == test }
    #expect(
      issues == [
        .init(test: test, fileID: "TrackingTestingTests/Fixtures.swift", line: line, text: Self.noEventCame)
      ])
  }

  @Test("a failure says what arrived instead, from a detached task too")
  func nearMisses() async throws {
    let run = try await Self.fixtures.value
    let issues = run.issues.filter { $0.test?.hasPrefix("aNearMiss") == true }.sorted { $0.line < $1.line }
    #expect(issues.map(\.line) == [FixtureLine.aNearMiss.number, FixtureLine.aNearMissInADetachedTask.number])
    #expect(
      issues.map { $0.text.replacing(/[0-9.]+ ms/, with: "a while").replacing(/swift:[0-9]+/, with: "swift:N") } == [
        """
        No event added_to_cart(product_id: "42", quantity: 2) arrived within 0 s; #1 has quantity: 1

        Nearest is #1, a while before the wait began (- expected, + arrived):
              added_to_cart
            - quantity: 2
            + quantity: 1
              (1 equal param)
        #1 was tracked at Fixtures.swift:N
        """,
        """
        No event named "button_taped" arrived within 0 s; #1 has a similar name: "button_tapped"

        Nearest is #1, a while before the wait began (- expected, + arrived):
            - button_taped
            + button_tapped
        """,
      ])
  }

  @Test("the journal is attached to each failure, and to a success only when configured")
  func attachments() async throws {
    let attachments = try await Self.fixtures.value.attachments
    #expect(
      attachments.keys.filter { !$0.hasSuffix("-report.html") && !$0.hasSuffix("-tracking-observation.json") }.sorted()
        == [
          "Fixtures.aNearMiss-1-session.json", "Fixtures.aNearMiss-1-timeline.txt",
          "Fixtures.aNearMissInADetachedTask-1-session.json", "Fixtures.aNearMissInADetachedTask-1-timeline.txt",
          "Fixtures.aPassingTestWithAnAttachment-1-session.json",
          "Fixtures.aPassingTestWithAnAttachment-1-timeline.txt",
          "Fixtures.anUnexpectedEvent-1-session.json", "Fixtures.anUnexpectedEvent-1-timeline.txt",
        ])
    #expect(
      attachments["Fixtures.aNearMiss-1-timeline.txt"] == """
        Received, by time since the first arrival:
        #1  +0 ms  added_to_cart(product_id: "42", quantity: 1)

        Not checked against a tracking plan

        """)
    #expect(
      attachments["Fixtures.aNearMiss-1-session.json"]?.contains(#""params":{"product_id":"42","quantity":1}"#)
        == true)
  }

  @Test("a failure that belongs to no line is reported at the test")
  func failuresOfNoLine() async throws {
    let run = try await Self.fixtures.value
    let stop = run.issues.filter { $0.test == "anUnexpectedEvent" }
    #expect(stop.map(\.line) == [FixtureLine.anUnexpectedEvent.number])
    #expect(
      stop.first?.text.hasPrefix("The test expected nothing else, but 1 more event arrived: ")
        == true)
    let start = run.issues.filter { $0.test == "anEndpointThatIsTaken" }
    #expect(start.map(\.line) == [FixtureLine.anEndpointThatIsTaken.number])
    #expect(start.first?.text.hasPrefix("The tracking verifier could not start: port ") == true)
  }

  @Test("a failure after the end of its test fails the run and is written to standard error")
  func failuresOfNoTest() async throws {
    let run = try await Self.fixtures.value
    let issues = run.issues.filter { $0.test == nil }.sorted { $0.fileID < $1.fileID }
    #expect(issues.map(\.text) == [Self.outsideOfATest, Self.testHasEnded])
    #expect(issues.last?.line == FixtureLine.aTestThatHasEnded.number)
    #expect(run.output.contains("error: A failure of no test: \(Self.outsideOfATest)"))
    #expect(
      run.output.contains("error: A failure of the test aTestThatHasEnded(), which has ended: \(Self.testHasEnded)"))
    #expect(run.status != 0)
    #expect(run.issues.count == 10)
  }

  @Test("two hundred parallel tests with servers need no more descriptors than macOS gives a process")
  func fewDescriptors() async throws {
    let run = try await NestedRun.ofSwiftTesting("testsWithServersTakeTurns", descriptors: 256)
    #expect(run.issues == [])
    #expect(run.status == 0)
  }

  @Test("a repeated test has a new verifier in each execution; so has each argument")
  func repetitions() async throws {
    let run = try await NestedRun.ofSwiftTesting(
      "RepeatedFixtures/(failsOnce|eachArgument)", "--repetitions", "3", "--repeat-until", "pass")
    #expect(run.issues.map(\.test) == ["failsOnce"])
    #expect(run.issues.first?.text.hasPrefix("No event ") == true, "\(run.issues)")
  }

  @Test("a wait of a cancelled test ends at once, and its failure says that it was cancelled")
  func aCancelledTest() async throws {
    let run = try await NestedRun.ofSwiftTesting("RepeatedFixtures/aCancelledTest")
    #expect(run.issues.map(\.test) == ["aCancelledTest"])
    #expect(
      run.issues.first?.text.hasPrefix("No event named \"never\" arrived before the task was cancelled") == true,
      "\(run.issues)")
  }

  @Test("a test without the trait fails, and its verifier works")
  func noTrait() async throws {
    let run = try await NestedRun.ofSwiftTesting("FixturesWithoutTheTrait")
    #expect(run.issues.map(\.text) == [Self.outsideOfATest])
    #expect(run.issues.map(\.line) == [FixtureLine.noTrait.number])
  }

  @Test("a verifier of XCTest in a test of Swift Testing writes its failure to standard error")
  func aVerifierOfXCTest() async throws {
    let run = try await NestedRun.ofSwiftTesting("FixturesOfTheWrongFramework")
    #expect(run.issues == [])
    #expect(
      run.output.contains(
        """
        Fixtures.swift:\(FixtureLine.aVerifierOfXCTest.number): error: \(Self.noEventCame)
        This failure couldn't be attached to a test: the test case of its verifier isn't running. It was made by hand, or it \
        has ended. A test of Swift Testing takes its verifier from the trait `.tracking` of TrackingTesting.
        """))
  }

  @Test("a verifier of Swift Testing in a test of XCTest fails that test", .enabled(if: NestedRun.isPossibleForXCTest))
  func aVerifierOfSwiftTesting() async throws {
    let run = try await NestedRun.ofXCTest("TrackingTestingTests.XCTestFixtures")
    #expect(run.status != 0)
    #expect(
      run.output.contains("XCTestFixtures.testAVerifierOfSwiftTesting : failed - \(Self.outsideOfATest)"))
    let failures = run.output.split(separator: "\n").filter {
      $0.contains("XCTestFixtures.testAWaitOfSwiftTesting : failed")
    }
    #expect(failures.count == 1)
    #expect(failures.first?.contains("Fixtures.swift:\(FixtureLine.aWaitOfSwiftTesting.number): error: ") == true)
  }

  @Test("the stop says what arrived in place of a timed-out expectation", .enabled(if: NestedRun.isPossibleForXCTest))
  func aTimedOutExpectation() async throws {
    let run = try await NestedRun.ofXCTest("TrackingTestingTests.XCTestFixtures/testATimedOutExpectation")
    let text = run.output.replacing("\n", with: " ")
    #expect(
      text.contains(
        "Fixtures.swift:\(FixtureLine.aTimedOutExpectation.number): error: XCTestFixtures.testATimedOutExpectation : failed - "
          + "Expected an event named \"purchase\", but none arrived (an XCTest expectation)"
      ))
    #expect(text.contains("#1  +0 ms  button_tapped("))
  }

  private static let testHasEnded = """
    This verifier belongs to the test Fixtures.aTestThatHasEnded, which has ended
    Make a verifier for each test, and await its tasks before the test returns.
    """

  private static let outsideOfATest = """
    TrackingVerifier.current was used where no test has a verifier
    In Swift Testing, give the test or its suite the trait `.tracking`; for a detached task, read
    `current` in the test before and pass it on. In an XCTestCase, make a verifier: `lazy var verifier:
    TrackingVerifier = .init(with: self)`.
    """
}
