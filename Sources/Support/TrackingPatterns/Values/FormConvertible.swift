import TrackingModel

/// A type whose values travel to another process as a `TrackingValue`.
///
/// The form is private to the modules, so public types don't conform to `Codable`; ``CodedForm`` codes it.
package protocol FormConvertible {
  var form: TrackingValue { get }

  /// `nil` if the form isn't one of this type.
  static func read(_ form: TrackingValue) -> Self?
}

package struct CodedForm<Value: FormConvertible & Hashable & Sendable>: Hashable, Codable, Sendable {
  package let value: Value

  package init(_ value: Value) {
    self.value = value
  }

  package init(from decoder: any Decoder) throws {
    let form = try TrackingValue(from: decoder)
    guard let value = Value.read(form) else {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "\(form) isn't a \(Value.self)"))
    }
    self.value = value
  }

  package func encode(to encoder: any Encoder) throws {
    try value.form.encode(to: encoder)
  }
}

extension Array: FormConvertible where Element: FormConvertible {
  package var form: TrackingValue { .array(map(\.form)) }

  package static func read(_ form: TrackingValue) -> [Element]? {
    guard case .array(let forms) = form else { return nil }
    let values = forms.compactMap(Element.read)
    return values.count == forms.count ? values : nil
  }
}

extension Dictionary: FormConvertible where Key == String, Value: FormConvertible {
  package var form: TrackingValue { .object(mapValues(\.form)) }

  package static func read(_ form: TrackingValue) -> [String: Value]? {
    guard case .object(let forms) = form else { return nil }
    let values = forms.compactMapValues(Value.read)
    return values.count == forms.count ? values : nil
  }
}

extension TrackingValue {
  /// The only member of an object, as which a named form travels.
  package var onlyMember: (name: String, value: TrackingValue)? {
    guard case .object(let members) = self, members.count == 1 else { return nil }
    return members.first.map { ($0.key, $0.value) }
  }
}
