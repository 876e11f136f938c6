import TrackingModel

final class ValueClosure: ValueCode, ValueTest {
  let name: String
  let call: @Sendable (TrackingValue) -> Bool

  init(_ name: String, _ call: @escaping @Sendable (TrackingValue) -> Bool) {
    (self.name, self.call) = (name, call)
  }

  func miss(of value: TrackingValue, _ leniency: Leniency) -> ValueMiss? {
    call(value) ? nil : ValueMiss(weight: MismatchWeight.value)
  }

  var description: String { name }
  var form: TrackingValue { ["satisfying": .string(name)] }
  var code: (any ValueCode)? { self }

  func assuming(_ holds: Bool) -> ValueClosure? { ValueClosure(name) { _ in holds } }
}

// MARK: - Matcher

extension ValueMatcher {
  /// Accepts a value for which a closure returns `true`; failures show the description: `.satisfying("an even number") { ... }`.
  ///
  /// The closure runs on the test's thread or, for an expectation, on the thread that receives the event. It may be called more than once for a
  /// value.
  public static func satisfying(
    _ description: String, _ condition: @escaping @Sendable (TrackingValue) -> Bool
  ) -> ValueMatcher {
    ValueMatcher(ValueClosure(description, condition))
  }
}
