import Foundation
import TrackingJSON
import TrackingModel

/// A request with the values that patterns derive from it, each computed once: the path's segments, the query, the JSON of the body.
///
/// Not thread-safe.
package final class ParsedRequest {
  /// A response, as far as it is known.
  package enum Response: Hashable, Sendable {
    case none
    /// A condition on the response is pending.
    case unknown
    /// `nil` if a fault cut the response off.
    case sent(status: Int?)
  }

  package let request: ReceivedRequest
  /// The method to compare; a stub for `GET` also responds to `HEAD`.
  var method: ReceivedRequest.Method
  /// The number of received bytes, of which the request may have only the first.
  let bodySize: Int
  let response: Response

  package init(_ request: ReceivedRequest, bodySize: Int? = nil, response: Response = .none) {
    self.request = request
    method = request.method
    self.bodySize = bodySize ?? request.body.count
    self.response = response
  }

  package private(set) lazy var path = RequestPath(request.path)
  /// Whether the path isn't UTF-8.
  private(set) lazy var isPathUnread = PercentEncoding.isUnread(request.path, decoded: path.decoded)
  private(set) lazy var query = request.query
  private(set) lazy var cookies = request.cookies
  private(set) lazy var form = request.form
  private(set) lazy var parts = request.parts
  /// The body's JSON, or the reason why it can't be read.
  package private(set) lazy var json = request.readJSON(.rounded)
  /// The body's JSON for a comparison with a recorded one: integers beyond 64 bits are texts with their digits.
  package private(set) lazy var exactJSON = request.readJSON(.spelled)

  /// Whether the query is UTF-8; otherwise its fields contain U+FFFD.
  var isQueryText: Bool {
    let text = request.queryText ?? ""
    return ReceivedFields.isText(text.utf8) && !text.hasReplacement
  }

  /// The coding of a body that isn't decoded, in words; `nil` for a readable body.
  var coding: String? {
    request.isCoded
      ? "coded as \((request.headers["Content-Encoding"] ?? "").clipped), which isn't decoded" : nil
  }
}

extension ReceivedRequest {
  /// The deepest JSON that stubs in an app read: their threads have a stack of 512 KiB, and a decoder calls itself for each level.
  package static let deepestJSON = 64

  fileprivate func readJSON(_ largeNumber: JSONReader.LargeNumber) -> Result<TrackingValue, StubDifference> {
    do throws(JSONError) {
      return .success(
        try JSONReader.read(body, maximumDepth: jsonDepth) { (reader) throws(JSONError) in
          reader.largeNumber = largeNumber
          reader.skipByteOrderMark()
          return try reader.value()
        })
    } catch {
      return .failure(
        StubDifference("the body can't be read as JSON: \(error.words)", weight: isMeantAsJSON ? 0.1 : 0.4))
    }
  }

  /// Whether the media type (RFC 6839 3.1), or without one the first byte, says that the body is one JSON text.
  var isMeantAsJSON: Bool {
    if let type = headers["Content-Type"]?.prefix(while: { $0 != ";" }).lowercased().trimmingCharacters(
      in: .whitespaces),
      !type.isEmpty
    {
      return type.hasSuffix("/json") || type.hasSuffix("+json")
    }
    let start = text.utf8.first { !" \n\r\t".utf8.contains($0) }
    return start == UInt8(ascii: "{") || start == UInt8(ascii: "[")
  }

  /// Checks that Foundation's decoder can read the body: it traps on 513 opening brackets at the end of a text.
  func checkJSON() throws(JSONError) {
    try JSONReader.read(body, maximumDepth: min(jsonDepth, 512)) { (reader) throws(JSONError) in
      reader.skipByteOrderMark()
      try reader.skipCheckedValue()
    }
  }
}

extension JSONError {
  /// `expected a value, found "}", at items[0].id, byte 17`.
  var words: String { "\(reason), at \(path.isEmpty ? "" : "\(path.shortened(to: 80)), ")byte \(offset)" }
}
