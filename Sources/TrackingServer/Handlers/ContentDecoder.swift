import TrackingModel

/// Undoes the content coding of a request's body, for whoever looks at the body behind it.
///
/// A coding that the server does not know is no matter to a stub that ignores the body; whatever needs the body refuses the request.
final class ContentDecoder: RequestHandler {
  /// A body that is no larger than this is decoded on the server's thread, which costs less than handing it to another one.
  private static let fewBytes = 64 * 1_024

  func handle(_ exchange: inout Exchange) -> Outcome {
    guard exchange.head.isCoded else { return .pass }
    guard let coding = ContentCoding(exchange.head) else {
      exchange.bodyRefusal = exchange.refusalOfCoding
      return .pass
    }
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
    do throws(CodingError) {
      return .success(try coding.decoded(body.bindMemory(to: UInt8.self), limit: limit))
    } catch {
      return .failure(error)
    }
  }

  private static func take(
    _ result: Result<[UInt8], CodingError>, _ exchange: inout Exchange, limit: Int
  ) -> Outcome {
    switch result {
    case .success(let body):
      exchange.decodedBody = body
      return .pass
    case .failure(.broken(let reason, let offset)):
      let coding = Exchange.quoted(exchange.head.value(of: .contentEncoding))
      return .reply(
        exchange.refuse(.badRequest("the body is not valid \(coding) data: \(reason), at byte \(offset)")))
    case .failure(.tooLarge):
      return .reply(
        exchange.refuse(
          Refusal(
            status: 413,
            reason: """
              the decoded body is larger than the limit of \(limit) bytes; raise the server's limits.decodedBody or \
              limits.decodedRatio
              """)))
    }
  }
}

extension RequestHead {
  /// Whether the body has a content coding.
  fileprivate var isCoded: Bool {
    has(.contentEncoding) && !field(.contentEncoding, equalsIgnoringCase: "identity")
  }
}

extension Exchange {
  /// Why a body cannot be decoded, as far as its head says.
  var refusalOfCoding: Refusal? {
    guard head.isCoded, ContentCoding(head) == nil else { return nil }
    return Refusal(
      status: 415,
      reason: """
        the body is coded as \(Self.quoted(head.value(of: .contentEncoding))), which is not decoded here; set the \
        sender's compression to gzip, or switch it off
        """)
  }
}
