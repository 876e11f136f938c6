import Foundation
import TrackingModel

/// Compares the bodies of requests.
enum BodyComparison {
  /// How a request's body differs from what a stub asks for.
  static func differences(of request: StubRequest, from condition: BodyCondition) -> [StubDifference] {
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
      guard request.text != wanted else { return [] }
      return [
        StubDifference(
          "the body is \(quoted(request.text)), not \(quoted(wanted))", weight: 0.3)
      ]
    case .json(let wanted):
      return jsonDifferences(of: request, from: wanted, isExact: true)
    case .jsonSubset(let wanted):
      return jsonDifferences(of: request, from: wanted, isExact: false)
    case .form(let wanted):
      return FieldComparison.differences(of: request.form, from: wanted, "form", isExact: true)
    case .formSubset(let wanted):
      return FieldComparison.differences(of: request.form, from: wanted, "form", isExact: false)
    }
  }

  private static func jsonDifferences(of request: StubRequest, from wanted: TrackingValue, isExact: Bool)
    -> [StubDifference]
  {
    guard !request.body.isEmpty else { return [StubDifference("the body is empty, not \(wanted)", weight: 0.4)] }
    guard let found = try? JSONDecoder().decode(TrackingValue.self, from: request.body) else {
      return [StubDifference("the body is no JSON: \(quoted(request.text))", weight: 0.4)]
    }
    var differences: [StubDifference] = []
    compare(found, with: wanted, at: "the body", isExact: isExact, &differences)
    return differences
  }

  private static func compare(
    _ found: TrackingValue, with wanted: TrackingValue, at place: String, isExact: Bool,
    _ differences: inout [StubDifference]
  ) {
    switch (found, wanted) {
    case (.object(let found), .object(let wanted)):
      for (name, value) in wanted.sorted(by: { $0.key < $1.key }) {
        if let member = found[name] {
          compare(member, with: value, at: path(place, name), isExact: isExact, &differences)
        } else {
          differences.append(StubDifference("\(path(place, name)) is missing, not \(value)", weight: 0.2))
        }
      }
      guard isExact else { return }
      for name in found.keys.sorted() where wanted[name] == nil {
        differences.append(StubDifference("\(path(place, name)) is there, too", weight: 0.1))
      }
    case (.array(let found), .array(let wanted)) where found.count == wanted.count:
      for (index, value) in wanted.enumerated() {
        compare(found[index], with: value, at: "\(place)[\(index)]", isExact: isExact, &differences)
      }
    default:
      guard found != wanted else { return }
      differences.append(StubDifference("\(place) is \(shortened("\(found)")), not \(wanted)", weight: 0.1))
    }
  }

  private static func path(_ place: String, _ name: String) -> String {
    place == "the body" ? "\(name) in the body" : "\(name) of \(place)"
  }

  private static func quoted(_ text: String) -> String { shortened("\(TrackingValue.string(text))") }

  private static func shortened(_ text: String) -> String {
    text.count > 200 ? text.prefix(200) + "\u{2026}" : text
  }
}
