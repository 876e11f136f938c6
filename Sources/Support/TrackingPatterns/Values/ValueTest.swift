import TrackingModel

/// A condition on a single value: its kind, its order, its text.
///
/// A test is one file: the comparison, the words, the form for another process, and the functions that make matchers of it. Another file refers to
/// it only in `ValueMatcher.tests`.
protocol ValueTest: Sendable, CustomStringConvertible {
  /// The difference of a value from the accepted ones; `nil` if it is accepted.
  func miss(of value: TrackingValue, _ leniency: Leniency) -> ValueMiss?

  /// An object with one member.
  var form: TrackingValue { get }

  /// Reads a form's only member; `nil` if it isn't a form of this test.
  static func read(_ name: String, _ value: TrackingValue) -> Self?

  /// The reason why no value is accepted; `nil` for a valid test.
  var problem: String? { get }

  /// The closure or Swift `Regex` in the test, which exists in this process only.
  var code: (any ValueCode)? { get }

  /// Assumes the closure's result instead of calling it; `nil` if there is no closure.
  func assuming(_ holds: Bool) -> Self?

  /// Whether only ASCII texts are expected, which invalid UTF-8 can't hide.
  var isOfASCII: Bool { get }

  /// The test for values in lower case.
  var lowercased: Self { get }
}

extension ValueTest {
  var code: (any ValueCode)? { nil }
  var isOfASCII: Bool { false }
  var lowercased: Self { self }
  var problem: String? { nil }

  static func read(_ name: String, _ value: TrackingValue) -> Self? { nil }

  func assuming(_ holds: Bool) -> Self? { nil }
}

/// Code in a matcher: a name for failures, and an identity, so that matchers can be compared.
protocol ValueCode: AnyObject, Sendable {
  var name: String { get }
}

struct ValueMiss {
  private let makeNote: () -> String?
  let weight: Double

  /// A note, if the values alone don't show the difference; created on each access.
  var note: String? { makeNote() }

  init(note: @autoclosure @escaping () -> String? = nil, weight: Double) {
    (makeNote, self.weight) = (note, weight)
  }

  /// A value of the right type of which a `share`, from 0 to 1, is wrong.
  init(note: @autoclosure @escaping () -> String? = nil, share: Double) {
    self.init(note: note(), weight: MismatchWeight.value(share: share))
  }

  /// A value of a type to which the condition can't apply.
  static func kind(of value: TrackingValue) -> ValueMiss {
    ValueMiss(note: "it is \(value.kind)", weight: MismatchWeight.type)
  }
}
