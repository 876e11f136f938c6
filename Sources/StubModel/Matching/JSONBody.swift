import Foundation
import TrackingJSON
import TrackingModel

/// A request's body as JSON, read when the first stub asks for it, and only once.
///
/// For one thread at a time.
package final class JSONBody {
  private let request: HTTPRequest

  package init(of request: HTTPRequest) {
    self.request = request
  }

  /// The JSON, or the reason that the body isn't JSON.
  package private(set) lazy var value: Result<TrackingValue, StubDifference> = read()

  private func read() -> Result<TrackingValue, StubDifference> {
    request.body.withUnsafeBytes { bytes in
      var reader = JSONReader(bytes.bindMemory(to: UInt8.self), maximumDepth: request.jsonDepth)
      do throws(JSONError) {
        let value = try reader.value()
        try reader.end()
        return .success(value)
      } catch {
        return .failure(StubDifference("the body isn't valid JSON: \(error.words)", weight: 0.4))
      }
    }
  }
}

extension HTTPRequest {
  /// The deepest JSON that stubs in an app read.
  ///
  /// They are looked for on threads with a stack of 512 KiB, and a decoder calls itself for each level.
  package static let deepestJSON = 64

  /// Checks that the body is JSON that Foundation's decoder can be given: it traps on 513 opening brackets at the end of a text.
  func checkJSON() throws(JSONError) {
    let result: Result<Void, JSONError> = body.withUnsafeBytes { bytes in
      var reader = JSONReader(bytes.bindMemory(to: UInt8.self), maximumDepth: min(jsonDepth, 512))
      do throws(JSONError) {
        try reader.skipCheckedValue()
        return .success(try reader.end())
      } catch {
        return .failure(error)
      }
    }
    try result.get()
  }
}

extension JSONError {
  /// `expected a value, found "}", at items[0].id, byte 17`.
  var words: String { "\(reason), at \(path.isEmpty ? "" : "\(path.shortened(to: 80)), ")byte \(offset)" }
}
