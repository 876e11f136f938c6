import Foundation
import TrackingModel
import TrackingPatterns

extension BodyCondition: FormConvertible {
  package var form: TrackingValue {
    switch kind {
    case .exact(let data): ["exact": data.form]
    case .text(let text): ["text": text.form]
    case .json(let value): ["json": value.form]
    case .jsonSubset(let value): ["jsonSubset": value.form]
    case .form(let fields): ["form": fields.form]
    case .formSubset(let fields): ["formSubset": fields.form]
    case .multipart(let parts): ["multipart": parts.form]
    case .pieces(let pieces): ["pieces": pieces.form]
    case .allParts(let parts): ["allParts": parts.form]
    }
  }

  package static func read(_ form: TrackingValue) -> BodyCondition? {
    switch form.onlyMember {
    case ("exact", let form)?: Data.read(form).map { .exact($0) }
    case ("text", let form)?: ValueMatcher.read(form).map { .text($0) }
    case ("json", let form)?: ValueMatcher.read(form).map { .json($0) }
    case ("jsonSubset", let form)?: ValueMatcher.read(form).map { .jsonSubset($0) }
    case ("form", let form)?: [String: ValueMatcher].read(form).map { .form($0) }
    case ("formSubset", let form)?: [String: ValueMatcher].read(form).map { .formSubset($0) }
    case ("multipart", let form)?: [String: PartCondition].read(form).map { .multipart($0) }
    case ("pieces", let form)?: [Data].read(form).map { .pieces($0) }
    case ("allParts", let form)?: [String: [PartCondition]].read(form).map { .allParts($0) }
    default: nil
    }
  }
}

extension PartCondition: FormConvertible {
  package var form: TrackingValue {
    let matchers = ["content": content, "fileName": fileName, "type": type].compactMapValues { $0?.form }
    return .object(pieces.map { matchers.merging(["pieces": $0.form]) { $1 } } ?? matchers)
  }

  package static func read(_ form: TrackingValue) -> PartCondition? {
    guard case .object(let members) = form, let content = members["content"].flatMap(ValueMatcher.read) else {
      return nil
    }
    return PartCondition(
      content: content, fileName: members["fileName"].flatMap(ValueMatcher.read),
      type: members["type"].flatMap(ValueMatcher.read), pieces: members["pieces"].flatMap([Data].read))
  }
}

extension Data: FormConvertible {
  package var form: TrackingValue { .string(base64EncodedString()) }

  package static func read(_ form: TrackingValue) -> Data? {
    if case .string(let text) = form { Data(base64Encoded: text) } else { nil }
  }
}
