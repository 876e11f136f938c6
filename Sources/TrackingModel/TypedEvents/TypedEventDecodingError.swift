import Foundation

/// The error for an event that can't be decoded as a typed event.
package struct TypedEventDecodingError: Error, Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    case otherName(expected: String, found: String)
    case missing(expected: String)
    case mismatch(expected: String, found: String)
    /// The type's `init(from:)` threw its own error, or the reason is of another kind.
    case custom(String)
  }

  package let typedEvent: String
  /// The param at fault, for example `"params.items[0].price"`; `"params"` if it isn't a single one.
  package let path: String
  package let kind: Kind
}

extension TypedEventDecodingError: CustomStringConvertible {
  /// The error in one sentence: `AddedToCart: params.price: expected Double, found the string "9.50"`.
  package var description: String {
    switch kind {
    case .otherName(let expected, let found): "\(typedEvent): its event is named \"\(expected)\", this one \"\(found)\""
    case .missing(let expected): "\(typedEvent): \(path) is missing, expected \(expected)"
    case .mismatch(let expected, let found): "\(typedEvent): \(path): expected \(expected), found \(found)"
    case .custom(let reason): "\(typedEvent): \(path): \(reason)"
    }
  }
}

extension TypedEventDecodingError: LocalizedError {
  /// Returns ``description``.
  package var errorDescription: String? { description }
}
