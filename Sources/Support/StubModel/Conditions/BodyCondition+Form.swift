import Foundation
import TrackingModel
import TrackingPatterns

extension BodyCondition: FormConvertible {
  package var form: TrackingValue {
    switch kind {
    case .exact(let data): ["exact": .string(data.base64EncodedString())]
    case .text(let text): ["text": text.form]
    case .json(let value): ["json": value.form]
    case .jsonSubset(let value): ["jsonSubset": value.form]
    case .form(let fields): ["form": fields.form]
    case .formSubset(let fields): ["formSubset": fields.form]
    case .multipart(let parts): ["multipart": parts.form]
    }
  }

  package static func read(_ form: TrackingValue) -> BodyCondition? {
    switch form.onlyMember {
    case ("exact", .string(let text))?: Data(base64Encoded: text).map { .exact($0) }
    case ("text", let form)?: ValueMatcher.read(form).map { .text($0) }
    case ("json", let form)?: ValueMatcher.read(form).map { .json($0) }
    case ("jsonSubset", let form)?: ValueMatcher.read(form).map { .jsonSubset($0) }
    case ("form", let form)?: [String: ValueMatcher].read(form).map { .form($0) }
    case ("formSubset", let form)?: [String: ValueMatcher].read(form).map { .formSubset($0) }
    case ("multipart", let form)?: [String: PartCondition].read(form).map { .multipart($0) }
    default: nil
    }
  }
}

extension PartCondition: FormConvertible {
  package var form: TrackingValue {
    ["content": content, "fileName": fileName, "type": type].compactMapValues(\.self).form
  }

  package static func read(_ form: TrackingValue) -> PartCondition? {
    guard let matchers = [String: ValueMatcher].read(form), let content = matchers["content"] else { return nil }
    return PartCondition(content: content, fileName: matchers["fileName"], type: matchers["type"])
  }
}
