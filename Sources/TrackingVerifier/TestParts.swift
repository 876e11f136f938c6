/// A test's names, for its files.
package struct TestParts: Hashable, Sendable {
  package enum Argument: Hashable, Sendable {
    case none
    case text(String)
    /// The test has arguments, but the framework doesn't tell them.
    case unknown
  }

  /// The class, or the suites joined by periods; `nil` for a function without a suite.
  package let suite: String?
  package let function: String
  package let argument: Argument

  package init(suite: String?, function: String, argument: Argument = .none) {
    self.suite = suite
    self.function = function
    self.argument = argument
  }
}
