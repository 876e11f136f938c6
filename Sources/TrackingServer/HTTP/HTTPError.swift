import StubModel
import TrackingJSON
import TrackingModel

/// The refusal of a request: a status, and a sentence for its sender.
///
/// After a refusal by the parser the beginning of the next request is unknown, so the connection is closed after the response.
package struct HTTPError: Error, Equatable {
  package let status: Int
  package let reason: String

  package init(status: Int, reason: String) {
    self.status = status
    self.reason = reason
  }

  /// A malformed request, or one that two parsers could read differently.
  package static func badRequest(_ reason: String) -> HTTPError {
    HTTPError(status: 400, reason: reason)
  }

  /// The beginning of a client's text, for reasons and the journal.
  static func quoted(_ text: String?) -> String {
    (text ?? "").clipped
  }
}

extension HTTPResponse {
  /// The refusal as JSON: `{"error": ..., "path": ..., "offset": ...}`, with further `members`.
  ///
  /// - Parameter error: The invalid value in the request's body.
  init(_ refusal: HTTPError, at error: JSONError? = nil, adding members: [String: TrackingValue] = [:]) {
    var members = members
    members["error"] = .string(refusal.reason)
    if let error {
      members["path"] = error.path.isEmpty ? nil : .string(error.path)
      members["offset"] = .int(error.offset)
    }
    var fields = ""
    // RFC 9110 15.5.6: names the allowed methods; 15.5.16: names the known codings.
    if refusal.status == 405 { fields += "Allow: OPTIONS, POST\r\n" }
    if refusal.status == 415 { fields += "Accept-Encoding: gzip, deflate, identity\r\n" }
    self = .json(refusal.status, members, fields: fields)
  }
}
