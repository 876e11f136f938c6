import Foundation
import TrackingModel

/// A request's body as JSON, read once however many stubs ask for it, and not before one does.
///
/// For one thread at a time.
package final class JSONBody {
  private let body: Data
  private let read: (Data) -> TrackingValue?

  /// - Parameter read: Reads JSON; `nil` for what is none. Without one Foundation does, which takes its time for large bodies.
  package init(of request: StubRequest, read: @escaping (Data) -> TrackingValue? = JSONBody.decoded) {
    body = request.body
    self.read = read
  }

  /// The JSON, or why there is none.
  package private(set) lazy var value: Result<TrackingValue, StubDifference> = reading()

  private func reading() -> Result<TrackingValue, StubDifference> {
    guard !JSONNesting.isTooDeep(body) else {
      return .failure(
        StubDifference("the body is nested deeper than \(JSONNesting.deepest) levels", weight: 0.4))
    }
    let text = String(decoding: body, as: UTF8.self)
    guard !JSONCombiningCharacters.areTooMany(text) else {
      let most = String.mostCombiningCharacters
      return .failure(
        StubDifference("the body has more than \(most) combining characters one after the other", weight: 0.4))
    }
    // RFC 8259 8.1: JSON is UTF-8, and none of its bytes is zero; Foundation's decoder would take UTF-16, too, and has not been counted in.
    guard !body.contains(0), let value = read(body) else {
      return .failure(StubDifference("the body is no JSON: \(StubDifference.quoted(text))", weight: 0.4))
    }
    return .success(value)
  }

  /// The JSON as Foundation reads it.
  package static func decoded(_ body: Data) -> TrackingValue? {
    try? JSONDecoder().decode(TrackingValue.self, from: body)
  }
}
