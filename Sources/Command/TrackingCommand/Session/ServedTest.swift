import TrackingJSON
import TrackingModel
import TrackingPlan
import TrackingRules

/// One run of a test on `tracking serve`, as sessions and the responses of a finish have it.
struct ServedTest: TestExecution, Sendable {
  struct Failure: Sendable {
    let kind: String
    let message: String
  }

  /// Empty for a test without a name, which can't be told from others.
  var name = ""
  /// Its place among the server's tests.
  var place = 0
  /// The number of the first entry that arrived after its beginning.
  var from = 1
  /// The number of the first entry that arrived after its end; `nil` if it hasn't ended.
  var until: Int?
  var milliseconds = 0
  var failures: [Failure] = []
  var hasFailed = false

  var attempt: TestAttempt? { name.isEmpty ? nil : TestAttempt(of: name, began: place) }
  var run: String? { nil }

  /// Whether an entry arrived during the test.
  func contains(_ number: Int) -> Bool { from <= number && until.map { number < $0 } ?? true }
}

extension ServedTest {
  /// Reads a test of a session, or of the response of a finish, where a test without a name has the server's.
  init(_ test: JSONTree, place: Int, server: String? = nil) {
    name = test["name"]?.string.flatMap { $0 == server ? nil : $0 } ?? ""
    self.place = place
    from = test["from"]?.int ?? 1
    until = test["until"]?.int
    milliseconds = Int(exactly: ((test["seconds"]?.value.doubleValue ?? 0) * 1_000).rounded()) ?? 0
    failures = (test["failures"]?.elements ?? []).map {
      Failure(kind: $0["kind"]?.string ?? "", message: $0["message"]?.string ?? "")
    }
    hasFailed = test["hasFailed"]?.bool ?? !failures.isEmpty
  }

  /// Reads the tests of a session.
  static func all(in tests: JSONNode) throws(JSONError) -> [ServedTest] {
    try tests.elements().enumerated().map { (place, test) throws(JSONError) in
      _ = try test.member("from").integer()
      _ = try test["until"]?.integer()
      _ = try test["name"]?.string()
      return ServedTest(test.tree, place: place)
    }
  }

  /// The test in a session, whose `failures` hold the messages.
  ///
  /// - Parameter isRepeated: Whether it failed and ran again, for the page.
  fileprivate func sessionValue(isRepeated: Bool) -> TrackingValue {
    TrackingValue(present: [
      "name": name.isEmpty ? nil : name, "from": from, "until": until, "seconds": seconds,
      "hasFailed": hasFailed ? true : nil, "isRepeated": isRepeated ? true : nil,
    ])
  }

  /// The test in the response of a finish.
  func value(server: String) -> TrackingValue {
    [
      "name": .string(name.isEmpty ? server : name), "seconds": seconds,
      "failures": .array(failures.map { ["kind": .string($0.kind), "message": .string($0.message)] }),
    ]
  }

  private var seconds: TrackingValue { TrackingValue.double(Double(milliseconds) / 1_000).canonical }
}

extension [ServedTest] {
  /// The tests in a session.
  var sessionValue: TrackingValue {
    let kept = Set(withoutRetriedFailures.map(\.place))
    return .array(map { $0.sessionValue(isRepeated: !kept.contains($0.place)) })
  }

  /// The earlier attempts of each test that failed and was repeated, by the place of the last one.
  var retriedFailures: [Int: [ServedTest]] {
    let kept = Set(withoutRetriedFailures.map(\.place))
    return Dictionary(grouping: filter { !kept.contains($0.place) }) { test in
      last { $0.name == test.name }?.place ?? test.place
    }
  }
}
