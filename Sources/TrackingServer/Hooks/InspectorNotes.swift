import TrackingModel
import TrackingRules

/// A verifier's notes for the inspector: open waits, matched entries, steps and failures.
package protocol InspectorNotes: AnyObject, Sendable {
  /// Whether an inspector is open; otherwise waits and matches aren't noted.
  var isObserved: Bool { get }
  func observe(title: String?)
  /// Forgets the last test's failures.
  func beginTest(title: String)
  /// Sets the rule that events are checked against when they are shown.
  func follow(_ rule: any EventRule)
  /// Notes an open wait.
  ///
  /// - Parameter state: The wait's state and nearest miss; it runs patterns of the test, so it isn't called on the server's thread.
  /// - Returns: A function that ends the wait, in one revision with its failure, so that a page receives both together.
  func beginWait(
    _ check: String, at location: String,
    _ state: @escaping @Sendable () -> (text: String, nearestMiss: String?)
  ) -> @Sendable ((message: String, location: String)?) -> Void
  /// Notes that waits have matched entries, or that the test ended without matching them.
  func match(_ numbers: [Int], _ isMatched: Bool)
  /// Notes a step of the test; `place` is the number of the journal's next entry.
  func add(step: String, before place: Int)
  func add(failure message: String, at location: String)
  func add(_ mutants: TrackingValue)
  /// Sets the function that returns the tests of `tracking serve`, as the session and the page show them.
  func follow(tests: @escaping @Sendable () -> TrackingValue)
}
