import Foundation
import TrackingModel

/// What a stub asks of a request's body.
///
/// ```swift
/// StubEndpoint(.post, "/login", body: .jsonSubset(["user": "anna"]), .status(403))
/// ```
public enum BodyCondition: Hashable, Codable, Sendable {
  /// Nothing.
  case ignored
  /// These bytes.
  case exact(Data)
  /// This text in UTF-8.
  case text(String)
  /// JSON that is equal to this: white space, the order of members and the form of numbers do not matter.
  ///
  /// A body of more than 64 levels is equal to none.
  case json(TrackingValue)
  /// JSON that has at least these members, at every level; arrays have to be equal in length and match element by element.
  case jsonSubset(TrackingValue)
  /// Form fields, `application/x-www-form-urlencoded`: these and no others, in any order.
  case form([String: String])
  /// Form fields: these among others.
  case formSubset([String: String])

  /// The condition in words that go on from a path; `nil` without one.
  var words: String? {
    switch self {
    case .ignored: nil
    case .exact(let data): "with a body of \(data.count) bytes"
    case .text(let text): "with the body \(TrackingValue.string(text))"
    case .json(let value): "with the body \(value)"
    case .jsonSubset(let value): "with \(value) in its body"
    case .form(let fields): "with the form \(QueryCondition.text(fields))"
    case .formSubset(let fields): "with \(QueryCondition.text(fields)) in its form"
    }
  }

  /// How many parts of a request it looks at.
  var constrainedParts: Int {
    switch self {
    case .ignored: 0
    case .exact, .text, .json, .form: 2
    case .jsonSubset, .formSubset: 1
    }
  }
}
