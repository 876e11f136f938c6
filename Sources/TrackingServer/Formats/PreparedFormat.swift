import StubModel
import TrackingJSON
import TrackingModel

/// An accepted format with parsed paths and encoded responses.
package struct PreparedFormat: Sendable {
  fileprivate struct Part: Sendable {
    let format: any EventFormat
    let endpoints: [RequestPattern]
  }

  package let format: AcceptedFormat
  let startupRequests: [PreparedStub]
  /// Whether the server's thread may read a small body.
  let isPrompt: Bool
  let hasSignature: Bool
  private let parts: [Part]

  /// - Throws: The error in a path or a response of the format.
  package init(_ format: AcceptedFormat) throws(StubError) {
    self.format = format
    parts = try format.parts.map { (part) throws(StubError) in
      let endpoints = try format.endpoints(of: part).flatMap(\.conditions).map { (conditions) throws(StubError) in
        // Ignores other conditions, so that no predicate of a test runs on the server's thread.
        let pattern: RequestPattern = .request(conditions.method ?? .any, conditions.path.normalized)
        if let problem = pattern.problem { throw problem }
        return pattern
      }
      return Part(format: part, endpoints: endpoints)
    }
    isPrompt = format.parts.allSatisfy { ($0 as? any PromptFormat)?.isPrompt ?? false }
    hasSignature = format.parts.contains { ($0 as? any PromptFormat)?.hasSignature ?? false }
    startupRequests = try format.startupRequests.map { (endpoint) throws(StubError) in
      let stub = try PreparedStub(endpoint, folder: nil)
      if let code = stub.endpoint.code {
        throw .result("\(code), and startup requests are handled on the server's thread: use a stub")
      }
      return stub
    }
  }

  /// Whether it is the same vendor's format at the same paths, perhaps with other kinds of items as events.
  func listens(as other: PreparedFormat) -> Bool {
    format.name == other.format.name && format.endpoints.map(\.description) == other.format.endpoints.map(\.description)
  }

  /// Whether a request may carry events, according to its head.
  package func fits(_ head: ReceivedRequest) -> Bool {
    let spellings = RequestSpellings(head)
    return parts.contains { $0.params(of: spellings) != nil }
  }

  package func submission(in request: ReceivedRequest) throws -> DecodedSubmission? {
    let spellings = RequestSpellings(request)
    var request = spellings.normalized
    var failure: (any Error)?
    for part in parts {
      guard let params = part.params(of: spellings) else { continue }
      request.pathParams = params
      do {
        if let submission = try part.format.submission(in: request) { return submission }
      } catch {
        failure = failure ?? error
      }
    }
    if let failure { throw failure }
    return nil
  }

  package func startupRequest(_ request: ReceivedRequest) -> PreparedStub? {
    let spellings = RequestSpellings(request)
    return startupRequests.first { spellings.readings.contains(where: $0.endpoint.pattern.matches) }
  }
}

extension AcceptedFormat: EventFormat {
  /// Reads the events of a request with the first matching format.
  public func submission(in request: ReceivedRequest) throws -> DecodedSubmission? {
    try PreparedFormat(self).submission(in: request)
  }
}

extension [PreparedFormat] {
  /// Returns the response to an SDK's startup request; `nil` for other requests.
  ///
  /// If several vendors' SDKs make the same request, the response combines their members.
  func startupResponse(to request: ReceivedRequest) -> PreparedResponse? {
    let results = compactMap { $0.startupRequest(request)?.results.first }
    let objects = results.compactMap(\.result.jsonMembers)
    guard results.count > 1, objects.count == results.count else { return results.first }
    let merged = objects.dropFirst().reduce(objects[0]) { $0.merging(members: $1) }
    return (try? PreparedResponse(.json(.object(merged)), folder: nil)) ?? results.first
  }
}

extension StubResponse {
  /// The members of the response's body, if it is a JSON object.
  fileprivate var jsonMembers: [String: TrackingValue]? {
    guard status == 200, case .data(let data, _) = content else { return nil }
    return (try? TrackingValue(json: data))?.objectValue
  }
}

extension [String: TrackingValue] {
  /// Merges two objects; of two members that aren't objects, the first counts.
  fileprivate func merging(members others: [String: TrackingValue]) -> [String: TrackingValue] {
    merging(others) { own, other in
      guard let members = own.objectValue, let others = other.objectValue else { return own }
      return .object(members.merging(members: others))
    }
  }
}

extension PreparedFormat.Part {
  /// Returns the values of the path's params; `nil` if the format doesn't listen there.
  fileprivate func params(of spellings: RequestSpellings) -> [String: String]? {
    for reading in spellings.readings {
      if let endpoint = endpoints.first(where: { $0.mayMatch(reading, knowing: .head) }) {
        return endpoint.params(of: reading) ?? [:]
      }
    }
    return nil
  }
}

/// A request with the equivalent spellings of its path: SDKs write `/batch` or `/batch/`, and some join their path to a URL that ends with a slash.
private struct RequestSpellings {
  let normalized: ReceivedRequest
  /// Normalized, with a trailing slash, and as sent, since a regular expression may want either.
  let readings: [ParsedRequest]

  init(_ request: ReceivedRequest) {
    var (normalized, open) = (request, request)
    normalized.path = request.path.normalizedPath
    open.path = normalized.path + "/"
    self.normalized = normalized
    readings = [normalized, open, request].map { ParsedRequest($0) }
  }
}

extension StubPath {
  fileprivate var normalized: StubPath {
    if case .template(let text) = form { .template(text.normalizedPath) } else { self }
  }
}

extension String {
  /// The path without empty segments, and without escapes of unreserved characters (RFC 3986 6.2.2.2).
  fileprivate var normalizedPath: String {
    guard utf8.first == UInt8(ascii: "/") else { return self }
    return "/"
      + utf8.split(separator: UInt8(ascii: "/")).map { segment in
        let decoded = PercentEncoding.decoded(Substring(segment))
        return decoded.unicodeScalars.allSatisfy(\.isUnreserved) ? decoded : String(Substring(segment))
      }.joined(separator: "/")
  }
}

extension Unicode.Scalar {
  /// RFC 3986 2.3.
  fileprivate var isUnreserved: Bool {
    isASCII && (properties.isAlphabetic || properties.numericType != nil || "-._~".unicodeScalars.contains(self))
  }
}
