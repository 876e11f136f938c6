import Testing

@Suite(.enabled(if: NestedRun.isPossible))
struct NestedRunTests {
  private static let fixtures = Task { try await NestedRun.ofSwiftTesting("Fixtures/") }

  @Test func show() async throws {
    let run = try await Self.fixtures.value
    print(run.status)
    print(run.standardError)
    for issue in run.issues { print(issue) }
    let xctest = try await NestedRun.ofXCTest("TrackingTestingTests.XCTestFixtures")
    print(xctest.status, xctest.standardError)
    for name in ["FixturesWithoutTheTrait", "FixturesOfTheWrongFramework"] {
      let run = try await NestedRun.ofSwiftTesting(name)
      print(run.status, run.standardError, run.issues)
    }
  }
}
