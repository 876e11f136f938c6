import Foundation

/// An event can't be read as a typed event.
public struct TypedEventDecodingError: Error, Hashable, Sendable {
  /// The kind of mistake.
  package enum Kind: Hashable, Sendable {
    /// The event has another name.
    case otherName(expected: String, found: String)
    /// A param is missing.
    case missing(expected: String)
    /// A param is of another type, or has a value that its type does not allow.
    case mismatch(expected: String, found: String)
    /// The type's own `init(from:)` failed, or the reason is of another kind.
    case custom(String)
  }

  /// The requested type.
  package let typedEvent: String
  /// The param at fault, for example `"params.items[0].price"`; `"params"` if no single one is.
  package let path: String
  /// The mistake in the param.
  package let kind: Kind
}

extension TypedEventDecodingError: CustomStringConvertible {
  /// The mistake, in one sentence: `AddedToCart: params.price: expected Double, found the string "9.50"`.
  public var description: String {
    switch kind {
    case .otherName(let expected, let found): "\(typedEvent): its event is named \"\(expected)\", this one \"\(found)\""
    case .missing(let expected): "\(typedEvent): \(path) is missing, expected \(expected)"
    case .mismatch(let expected, let found): "\(typedEvent): \(path): expected \(expected), found \(found)"
    case .custom(let reason): "\(typedEvent): \(path): \(reason)"
    }
  }
}

extension TypedEventDecodingError: LocalizedError {
  /// The same as `description`.
  public var errorDescription: String? { description }
}
