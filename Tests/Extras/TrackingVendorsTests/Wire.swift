import TestSupport
import VendorFormats

/// A request as an SDK would send it.
func request(
  _ target: String, _ body: String = "", method: ReceivedRequest.Method = .post, type: String = "application/json",
  headers: [String: String] = [:]
) -> ReceivedRequest {
  let parts = target.split(separator: "?", maxSplits: 1)
  var request = ReceivedRequest(
    method: method, path: String(parts[0]), queryText: parts.count > 1 ? String(parts[1]) : nil, body: Data(body.utf8))
  request.headers["Content-Type"] = type
  for (name, value) in headers { request.headers[name] = value }
  return request
}

extension DecodedSubmission {
  /// One line for each item and each problem: `track purchase(total: 12) id 1`.
  var lines: [String] {
    items.map { item in
      let id = item.id.map { " id \($0)" } ?? ""
      return "\(item.kind) \(item.event)\(id)\(item.isText ? " text" : "")"
    } + malformed.map { "malformed \($0)" }
  }
}

extension StubResponse {
  /// The body, if it is text.
  var text: String {
    if case .data(let data, _) = content { String(decoding: data, as: UTF8.self) } else { "" }
  }
}

extension AcceptedFormat {
  /// The lines of what the format reads in a request; nothing when it is not the format's.
  func lines(_ request: ReceivedRequest) throws -> [String]? {
    try submission(in: request)?.lines
  }
}
