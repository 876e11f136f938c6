import TrackingRules
import XCTest

extension TestCaseReference {
  /// The end of an asynchronous method's selector.
  static let asynchronousEnding = "WithCompletionHandler:"

  /// The class and the method; `nil` if the test case is gone.
  var parts: TestParts? {
    guard let value else { return nil }
    // Apple's XCTest writes "-[CartTests testBuying]", Linux's "CartTests.testBuying".
    var method = value.name.split { ". ]".contains($0) }.last.map(String.init) ?? value.name
    // The selectors of methods that throw or are asynchronous.
    for ending in [Self.asynchronousEnding, "AndReturnError:"] where method.hasSuffix(ending) {
      method.removeLast(ending.count)
    }
    return TestParts(suite: "\(type(of: value))", function: method)
  }

  /// The execution of the test; `nil` if XCTest doesn't run it.
  var attempt: TestAttempt? {
    guard let value, let began = value.testRun?.startDate else { return nil }
    return TestAttempt(of: "\(String(reflecting: type(of: value))) \(value.name)", began: began)
  }

  /// Whether it has failed so far.
  var hasFailed: Bool { value?.testRun.map { $0.totalFailureCount > 0 } ?? false }
}
