import Foundation
import StubModel
import TrackingJSON
import TrackingModel

extension HTTPRequest {
  /// The JSON of the body.
  ///
  /// - Throws: What is wrong with it, and where.
  package func wireJSON() throws(JSONError) -> TrackingValue {
    try TrackingValue(json: body)
  }
}

extension TrackingValue {
  /// The value of a JSON text.
  ///
  /// - Throws: What is wrong with it, and where.
  package init(json text: Data) throws(JSONError) {
    // `Data`'s own method rethrows untyped.
    let result = text.withUnsafeBytes { bytes in
      Result { () throws(JSONError) in
        var reader = JSONReader(bytes.bindMemory(to: UInt8.self), maximumDepth: JSONItems.deepest)
        let value = try reader.value()
        try reader.end()
        return value
      }
    }
    self = try result.get()
  }

  /// The value of a JSON text.
  package init(json text: String) throws(JSONError) {
    try self.init(json: Data(text.utf8))
  }
}
