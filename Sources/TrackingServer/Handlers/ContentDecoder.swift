import TrackingModel

/// Decodes the body of a request with a content coding, for all later handlers.
///
/// A stub that ignores the body can serve a request with an unknown coding.
final class ContentDecoder: RequestHandler {
  /// The largest decoded body, in bytes, that is decoded on the server's thread, where it costs less than on a worker.
  private static let fewBytes = 64 * 1_024

  func handle(_ exchange: inout Exchange) -> RequestOutcome {
    guard RequestBody.isCoded(exchange.head) else {
      return Self.isUnnamedGzip(exchange) ? decode(.gzip, &exchange) : .pass
    }
    guard let coding = ContentCoding(exchange.head) else {
      exchange.body.unread = RequestBody.refusalOfCoding(exchange.head).map { .coded($0) }
      return .pass
    }
    return decode(coding, &exchange)
  }

  /// Whether a body for an accepted format is gzip without a Content-Encoding, as PostHog's web SDK sends it.
  private static func isUnnamedGzip(_ exchange: borrowing Exchange) -> Bool {
    // RFC 1952 2.3.1; the third byte is the method, deflate.
    exchange.setup.hasFormats && exchange.withBody { $0.starts(with: [0x1F, 0x8B, 8]) }
      && !exchange.formats.isEmpty
  }

  private func decode(_ coding: ContentCoding, _ exchange: inout Exchange) -> RequestOutcome {
    let limits = exchange.context.configuration.limits
    let result = exchange.withBody { body in
      Self.decode(body, coding, limit: min(Self.fewBytes, Self.limit(of: body, limits)))
    }
    if case .failure(.tooLarge) = result {
      let body = exchange.withBody { Array($0) }
      let limit = body.withUnsafeBytes { Self.limit(of: $0, limits) }
      guard limit > Self.fewBytes else { return Self.take(result, &exchange, limit: limit) }
      return .work {
        let result = body.withUnsafeBytes { Self.decode($0, coding, limit: limit) }
        return { exchange in Self.take(result, &exchange, limit: limit) }
      }
    }
    return Self.take(result, &exchange, limit: 0)
  }

  private static func limit(of body: UnsafeRawBufferPointer, _ limits: TrackingServer.Limits) -> Int {
    let (product, overflow) = body.count.multipliedReportingOverflow(by: max(limits.decodedRatio, 1))
    return min(max(limits.decodedBody, 0), overflow ? .max : product)
  }

  private static func decode(
    _ body: UnsafeRawBufferPointer, _ coding: ContentCoding, limit: Int
  ) -> Result<[UInt8], CodingError> {
    Result { () throws(CodingError) in try coding.decoded(body.bindMemory(to: UInt8.self), limit: limit) }
  }

  private static func take(
    _ result: Result<[UInt8], CodingError>, _ exchange: inout Exchange, limit: Int
  ) -> RequestOutcome {
    switch result {
    case .success(let body):
      exchange.body.decoded = body
      return .pass
    case .failure(.broken(let reason, let offset)):
      let coding = HTTPError.quoted(exchange.head.value(of: .contentEncoding) ?? "gzip")
      return .respond(
        exchange.refuse(.badRequest("the body is not valid \(coding) data: \(reason), at byte \(offset)")))
    case .failure(.tooLarge):
      return .respond(
        exchange.refuse(
          HTTPError(
            status: 413,
            reason: """
              the decoded body is larger than the limit of \(limit) bytes\
              \(exchange.sender.vocabulary.raising("decodedBody or limits.decodedRatio"))
              """)))
    }
  }
}
