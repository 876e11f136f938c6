import Testing
import TrackingVerifier

@testable import TrackingTesting

struct TestingReporterTests {
  @Test("a failure is an issue of the test, at the line that waited, with its whole message")
  func aFailureIsAnIssue() async throws {
    let (failure, line) = (CheckFailure(kind: .tooFew, message: "two\nlines", location: CodeLocation()), #line)
    let issues = await issues { TestingReporter().report(failure) }
    let issue = try #require(issues.first)
    #expect(issues.count == 1)
    #expect(issue.message == "two\nlines")
    #expect(issue.sourceLocation?.fileID == "TrackingTestingTests/TestingReporterTests.swift")
    #expect(issue.sourceLocation?.filePath == #filePath)
    #expect(issue.sourceLocation?.line == line)
    guard case .unconditional = issue.kind else {
      Issue.record("the issue is of the kind \(issue.kind)")
      return
    }
  }

  @Test("a warning of a plan is an issue that fails no test")
  func aWarningIsAnIssueThatFailsNothing() async throws {
    let location = CodeLocation()
    let issues = await issues { TestingReporter().warn("an event is deprecated", at: location) }
    #expect(issues.map(\.message) == ["an event is deprecated"])
    #expect(issues.map(\.severity) == [.warning])
    #expect(issues.map(\.sourceLocation?.line) == [Int(location.line)])
  }

  @Test(
    "observations are attached where something keeps attachments: the command line says so, or Xcode runs the tests",
    arguments: [
      ([], [], false), (["--attachments-path", "out"], [], true), (["--attachments-path=out"], [], true),
      ([], ["XCTestConfigurationFilePath"], true), ([], ["XCTestBundlePath"], true),
      ([], ["XCTestSessionIdentifier"], true), ([], ["CI"], false),
    ] as [([String], [String], Bool)])
  func observationsAreKept(arguments: [String], variables: [String], expected: Bool) {
    let environment = Dictionary(uniqueKeysWithValues: variables.map { ($0, "x") })
    #expect(TestingReporter.keepsAttachments(["tests"] + arguments, environment) == expected)
  }

  @Test("a failure without a line is shown at the test")
  func aFailureOfNoLine() async throws {
    let failure = CheckFailure(kind: .notStarted, message: "none", location: .wholeTest)
    let issues = await issues { TestingReporter().report(failure) }
    #expect(issues.map(\.sourceLocation) == [try #require(Test.current).sourceLocation])
  }

  @Test("a failure of another test's verifier fails the test that waited, and names the other")
  func aFailureOfAnotherTestsVerifier() async throws {
    var other = try #require(Test.current)
    let own = other.id
    other.name = "other()"
    try #require(other.id != own)
    let reporter = TestingReporter(home: RunningTest(other))
    let failure = CheckFailure(kind: .tooFew, message: "It did not come.", location: CodeLocation())
    let issues = await issues { reporter.report(failure) }
    #expect(issues.map(\.message) == ["It did not come.\n\nIt was found by the verifier of another test, other()."])
  }

  @Test(
    "a place that Swift Testing would not take is given a module",
    arguments: [
      ("Module/File.swift", "Module/File.swift"), ("Module/Sub/File.swift", "Module/Sub/File.swift"),
      ("File.swift", "Unknown/File.swift"), ("/File.swift", "Unknown/File.swift"), ("Module/", "Unknown/Module"),
      ("", "Unknown/unknown"), ("/", "Unknown/unknown"),
    ] as [(StaticString, String)])
  func placesWithoutAModule(fileID: StaticString, expected: String) {
    let location = SourceLocation(CodeLocation(fileID: fileID, file: "File.swift", line: 3, column: 0))
    #expect(location?.fileID == expected)
    #expect(location?.line == 3)
    #expect(location?.column == 1)
  }
}
