import TrackingModel

@testable import TrackingJSON

/// The reader's result for a text: a value, or an error as `path@offset: reason`.
enum JSONParsing: Equatable, CustomStringConvertible {
  case value(TrackingValue)
  case error(String)

  init(_ bytes: [UInt8], maximumDepth: Int = 512) {
    self = bytes.withUnsafeBufferPointer { buffer in
      var reader = JSONReader(buffer, maximumDepth: maximumDepth)
      do throws(JSONError) {
        let value = try reader.value()
        try reader.end()
        return .value(value)
      } catch {
        return .error("\(error.path)@\(error.offset): \(error.reason)")
      }
    }
  }

  init(_ text: String) {
    self.init(Array(text.utf8))
  }

  var isError: Bool {
    if case .error = self { true } else { false }
  }

  /// Shows what `TrackingValue` considers equal: which of its cases a number is in.
  var description: String {
    switch self {
    case .value(let value): "\(dumped(value))"
    case .error(let text): text
    }
  }

  private func dumped(_ value: TrackingValue) -> String {
    switch value {
    case .null: "null"
    case .bool(let value): "bool \(value)"
    case .int(let value): "int \(value)"
    case .unsigned(let value): "unsigned \(value)"
    case .double(let value): "double \(value)"
    case .string(let value): "string \(Array(value.unicodeScalars.map { String($0.value, radix: 16) }))"
    case .array(let values): "[\(values.map(dumped).joined(separator: ", "))]"
    case .object(let members):
      // By bytes: of "é/" and a decomposed "é" Swift 6.3 says that neither is less.
      "{\(members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.map { "\($0.key): \(dumped($0.value))" }.joined(separator: ", "))}"
    }
  }
}
