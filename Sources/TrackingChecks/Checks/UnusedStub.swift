import TrackingPatterns

/// A stub that hasn't sent all of its responses.
package struct UnusedStub: Sendable {
  /// The method, path and conditions: `POST /orders`.
  private let name: String
  /// The number of responses sent; `unusedResponses` is the number left.
  private let count: Int
  private let unusedResponses: Int
  /// The line that installed the stub, if the sentence names it: `CartTests.swift:31`.
  private let place: String?

  package init(_ name: String, count: Int, unusedResponses: Int, place: String? = nil) {
    (self.name, self.count, self.unusedResponses, self.place) = (name, count, unusedResponses, place)
  }

  package static func headline(on stubs: [UnusedStub], isOver: Bool = true) -> Headline {
    guard stubs.count > 1 else { return stubs.first?.finding(isOver: isOver) ?? "Each stub was used" }
    let verb = isOver ? "weren't used" : "haven't been used yet"
    return "\(stubs.count) stubs \(verb); the first is \(name: stubs[0].name)"
  }

  package func finding(isOver: Bool = true) -> Headline {
    let subject: Headline = "The stub \(name: name)\(place.map { " at \($0)" } ?? "")"
    guard count > 0 else { return "\(subject) \(isOver ? "was never requested" : "hasn't been requested yet")" }
    let responses = unusedResponses == 1 ? "its last response" : "its last \(unusedResponses) responses"
    let verb =
      isOver
      ? "\(unusedResponses == 1 ? "was" : "were") never sent"
      : "\(unusedResponses == 1 ? "hasn't" : "haven't") been sent yet"
    return "\(subject) was requested \(CountText.times(count)), and \(responses) \(verb)"
  }
}
