/// The runner of a test that is not a test case of XCTest.
///
/// The server of such a verifier starts at the first use of its endpoint; the host stops the verifier when the test
/// ends.
package protocol TestHost: Sendable {
  /// The name of the test: `CartTests.buying`.
  var testName: String { get }

  /// Whether the test has ended.
  var hasEnded: Bool { get }

  /// Called before the server starts.
  ///
  /// - Returns: `false` when the test is over, since no server may outlive it.
  func mayStartServer() -> Bool

  /// Called when the test tracks events in its own process.
  func tracksInProcess()
}

extension CodeLocation {
  /// No place in a test's code: what has it is shown at the test itself.
  package static let wholeTest = CodeLocation(fileID: "", file: "", line: 0, column: 0)
}
