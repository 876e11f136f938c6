import TrackingModel
import TrackingPlan
import TrackingRules

/// An event, a request or a param whose changes no test notices, with the line of Swift that would.
struct UnnoticedChange: Sendable {
  let name: String
  /// The param's path; `nil` if no test checks the event itself.
  let path: String?
  let isRequest: Bool
  /// Whether it is about a required param of the plan.
  let isRequired: Bool
  let tests: Int
  /// The test with the wait that could notice.
  let test: String?
  let wait: MutationReport.Wait?
  /// The Swift code that would notice.
  let suggestion: String?
  /// A change that nothing notices: `121 for 120`.
  let passing: String?
  /// A changed value that the test notices: `0`.
  let noticed: String?
  /// Whether a test notices some changes of the param, or a duplicate of the event.
  let isPartlyNoticed: Bool
  /// The changes of the param that the plan notices: `another type`.
  let planned: [String]
  /// Whether the test may check the event that a wait returned.
  let mayBeChecked: Bool
  let place: PlanPlace?

  /// The event and the param: `purchase.total`; `POST /orders: product`.
  var subject: String { path.map { name + (isRequest ? ": " : ".") + $0 } ?? name }

  var sentence: ReportText {
    let change =
      path == nil
      ? isPartlyNoticed ? "it is missing" : "it is missing or doubled" : isPartlyNoticed ? "each change" : "it changes"
    let when = path != nil && isPartlyNoticed ? change : "when \(change)"
    var details: [String] = []
    if path != nil, isPartlyNoticed {
      details = (passing.map { ["\($0) passes"] } ?? []) + ["\(noticed ?? "another change") is noticed"]
    }
    if !planned.isEmpty { details.append("the plan notices \(planned.joined(separator: ", "))") }
    let detail = details.isEmpty ? "" : "; \(details.joined(separator: ", "))"
    let seen =
      tests == 1
      ? "1 test sees it and doesn't notice \(when)\(detail)." : "\(tests) tests see it, none notices \(when)\(detail)."
    let kind = isRequest ? "request" : "event"
    let waits: ReportText =
      if let test, let wait {
        "\(code: test) (\(wait.line)) waits for \(isRequest ? "" : "the event ")\(wait.assertion)"
      } else {
        "No wait checks the \(kind)"
      }
    let advice: ReportText = suggestion.map { "; \(code: $0) would notice." } ?? "."
    let limit = mayBeChecked ? " This holds unless the test checks the returned event itself." : ""
    return "\(code: subject): \(seen) \(waits)\(advice)\(limit)"
  }

  var value: TrackingValue {
    TrackingValue(present: [
      "subject": subject, "isRequired": isRequired, "tests": tests, "sentence": sentence.plain, "test": test,
      "line": wait?.line, "suggestion": suggestion, "passing": passing, "noticed": noticed,
      "planned": planned.isEmpty ? nil : planned,
    ])
  }
}

extension NoticedChanges {
  /// The changes that nothing notices: those of required params first, then by the number of tests that see them.
  ///
  /// Params of an event that no test checks aren't listed in addition.
  var unnoticed: [UnnoticedChange] {
    let all = unnoticed(in: events, isRequest: false) + unnoticed(in: requests, isRequest: true)
    func rank(_ change: UnnoticedChange) -> Int {
      change.isRequired ? 0 : change.isRequest ? 3 : change.path == nil ? 1 : 2
    }
    return all.sorted { (rank($0), -$0.tests, $0.subject) < (rank($1), -$1.tests, $1.subject) }
  }

  private func unnoticed(in subjects: [String: Subject], isRequest: Bool) -> [UnnoticedChange] {
    subjects.flatMap { name, subject in
      let params = subject.params.filter { $1.pin == .no || $1.pin == .discarded }
      guard subject.isChecked else {
        let suggestion = subject.suggestions.min { $0.key < $1.key }
        let test = suggestion?.key ?? subject.waits.keys.min()
        return [
          UnnoticedChange(
            name: name, path: nil, isRequest: isRequest, isRequired: params.values.contains(where: \.isRequired),
            tests: subject.tests.count, test: test, wait: test.flatMap { subject.waits[$0]?.first },
            suggestion: suggestion?.value, passing: nil, noticed: nil,
            isPartlyNoticed: subject.noticed.contains(.doubled), planned: [], mayBeChecked: false, place: subject.place)
        ]
      }
      return params.map { path, param in
        // A test that notices some changes, or already waits for the event, needs the smallest change.
        func distance(_ test: String, _ finding: MutationReport.Param) -> (Int, Int, Int, String) {
          (
            finding.partly == .check ? 0 : 1, subject.waits[test] == nil ? 1 : 0, finding.suggestion == nil ? 1 : 0,
            test
          )
        }
        let test = param.tests.min { distance($0.key, $0.value) < distance($1.key, $1.value) }?.key
        let finding = test.flatMap { param.tests[$0] }
        return UnnoticedChange(
          name: name, path: path, isRequest: isRequest, isRequired: param.isRequired, tests: param.tests.count,
          test: test, wait: test.flatMap { subject.waits[$0]?.first }, suggestion: finding?.suggestion,
          passing: finding?.passing, noticed: finding?.noticed, isPartlyNoticed: param.partly == .check,
          planned: MutationReport.ValueChange.allCases.filter(param.planned.contains).map(\.rawValue),
          mayBeChecked: param.pin == .discarded, place: param.place ?? subject.place)
      }
    }
  }
}
