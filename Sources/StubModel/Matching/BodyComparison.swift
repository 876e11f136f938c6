import Foundation
import TrackingModel

/// Compares the bodies of requests.
enum BodyComparison {
  /// How a request's body differs from what a stub asks for.
  static func differences(of request: StubRequest, _ json: JSONBody, from condition: BodyCondition) -> [StubDifference]
  {
    switch condition {
    case .ignored:
      return []
    case .exact(let wanted):
      guard request.body != wanted else { return [] }
      let place = zip(request.body, wanted).enumerated().first { $1.0 != $1.1 }?.offset
      let words =
        place.map { "differs at byte \($0)" } ?? "has \(request.body.count) bytes, not \(wanted.count)"
      return [StubDifference("the body \(words)", weight: 0.3)]
    case .text(let wanted):
      guard !request.text.isSameText(as: wanted) else { return [] }
      return [
        StubDifference(
          "the body is \(StubDifference.quoted(request.text)), not \(StubDifference.quoted(wanted))", weight: 0.3)
      ]
    case .json(let wanted):
      return differences(of: json, isEmpty: request.body.isEmpty, from: wanted, isExact: true)
    case .jsonSubset(let wanted):
      return differences(of: json, isEmpty: request.body.isEmpty, from: wanted, isExact: false)
    case .form(let wanted):
      return FieldComparison.differences(of: request.form, from: wanted, "form", isExact: true)
    case .formSubset(let wanted):
      return FieldComparison.differences(of: request.form, from: wanted, "form", isExact: false)
    }
  }

  private static func differences(of json: JSONBody, isEmpty: Bool, from wanted: TrackingValue, isExact: Bool)
    -> [StubDifference]
  {
    guard !isEmpty else { return [StubDifference("the body is empty, not \(wanted)", weight: 0.4)] }
    switch json.value {
    case .failure(let difference):
      return [difference]
    case .success(let found):
      var differences: [StubDifference] = []
      compare(found, with: wanted, at: "", isExact: isExact, &differences)
      return differences
    }
  }

  /// - Parameter path: Where the values stand, for example `items[1].id`; empty for the body itself.
  private static func compare(
    _ found: TrackingValue, with wanted: TrackingValue, at path: String, isExact: Bool,
    _ differences: inout [StubDifference]
  ) {
    switch (found, wanted) {
    case (.object(let found), .object(let wanted)):
      for (name, value) in wanted.sorted(by: { $0.key < $1.key }) {
        if let foundValue = found[name] {
          compare(foundValue, with: value, at: member(name, of: path), isExact: isExact, &differences)
        } else {
          differences.append(StubDifference("\(place(member(name, of: path))) is missing, not \(value)", weight: 0.2))
        }
      }
      guard isExact else { return }
      for name in found.keys.sorted() where wanted[name] == nil {
        differences.append(StubDifference("\(place(member(name, of: path))) is there, too", weight: 0.1))
      }
    case (.array(let found), .array(let wanted)) where found.count == wanted.count:
      for (index, value) in wanted.enumerated() {
        compare(found[index], with: value, at: "\(path)[\(index)]", isExact: isExact, &differences)
      }
    default:
      guard found != wanted else { return }
      let text = StubDifference.shortened("\(found)")
      differences.append(StubDifference("\(place(path)) is \(text), not \(wanted)", weight: 0.1))
    }
  }

  private static func member(_ name: String, of path: String) -> String { path.isEmpty ? name : "\(path).\(name)" }

  private static func place(_ path: String) -> String {
    path.isEmpty ? "the body" : "\(StubDifference.shortened(path)) in the body"
  }
}
