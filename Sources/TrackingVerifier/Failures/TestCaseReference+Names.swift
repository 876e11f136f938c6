import TrackingRules
import XCTest

extension TestCaseReference {
  static let asynchronousEnding = "WithCompletionHandler:"

  var parts: TestParts? {
    guard let value else { return nil }
    // Apple's XCTest writes "-[CartTests testBuying]", Linux's "CartTests.testBuying".
    var method = value.name.split { ". ]".contains($0) }.last.map(String.init) ?? value.name
    // Selectors of throwing or asynchronous methods have these suffixes.
    for ending in [Self.asynchronousEnding, "AndReturnError:"] where method.hasSuffix(ending) {
      method.removeLast(ending.count)
    }
    return TestParts(suite: "\(type(of: value))", function: method)
  }

  /// The test's current run; `nil` if XCTest isn't running it.
  var attempt: TestAttempt? {
    guard let value, let began = value.testRun?.startDate else { return nil }
    return TestAttempt(of: "\(String(reflecting: type(of: value))) \(value.name)", began: began)
  }

  var hasFailed: Bool { value?.testRun.map { $0.totalFailureCount > 0 } ?? false }
}
