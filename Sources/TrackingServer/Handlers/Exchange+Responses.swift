import StubModel
import TrackingModel

extension Exchange {
  /// Records a response and returns it.
  ///
  /// - Parameters:
  ///   - file: The file of a folder that the request names.
  ///   - stub: The stub that has answered; `nil` if a real backend has.
  mutating func reply(
    with result: PreparedResponse, _ file: FolderFile? = nil, by stub: StubEndpoint?
  ) -> Reply {
    var reply = Reply(result)
    if let file { reply.response.content = ResponseContent(file) }
    // A recorded response already contains its conditional and partial forms.
    if result.result.status == 200, !result.result.isRecorded {
      reply.response.selectPart(for: request(), tag: file?.tag ?? result.tag)
    }
    if reply.fault == nil { reply.inject(context.stubs.takeFault(at: [.response, .responseBody, .afterResponse])) }
    record(reply, RecordedResponse(status: reply.statusSent, stub: stub, fault: reply.fault))
    return reply
  }

  /// Records a request that nothing serves, and returns its response.
  ///
  /// - Parameters:
  ///   - refusal: The response, to which the nearest stub and the differences are added.
  ///   - hint: What the request seems to be.
  mutating func replyUnmatched(
    _ refusal: Refusal, _ nearest: StubTable.NearMiss?, hint: String? = nil
  ) -> Reply {
    var members: [String: TrackingValue] = [:]
    if let nearest {
      members["nearest"] = .string("\(nearest.endpoint)")
      members["differs"] = .array(nearest.differences.map { .string(Refusal.quoted($0)) })
    }
    let reason = hint.map { "\(refusal.reason); \($0)" } ?? refusal.reason
    var reply = Reply(HTTPResponse(Refusal(status: refusal.status, reason: reason), adding: members))
    reply.inject(context.stubs.takeFault(at: [.response, .responseBody, .afterResponse]))
    record(
      reply,
      RecordedResponse(
        status: reply.statusSent, fault: reply.fault, isUnmatched: true,
        nearestStub: nearest.map { "\($0.endpoint): \(Refusal.quoted($0.differences.joined(separator: "; ")))" },
        comparison: nearest?.comparison.lines(width: 92) ?? [], problem: hint))
    return reply
  }
}
