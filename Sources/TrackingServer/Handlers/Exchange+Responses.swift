import StubModel
import TrackingModel

extension Exchange {
  /// Records a response and returns it.
  ///
  /// - Parameters:
  ///   - file: The requested file of a folder.
  ///   - stub: The stub that has responded; `nil` for a real backend.
  mutating func respond(
    with result: PreparedResponse, _ file: FolderFile? = nil, by stub: StubEndpoint?
  ) -> PlannedResponse {
    var planned = PlannedResponse(result)
    if let file { planned.response.content = ResponseContent(file) }
    // A recorded response already contains its conditional and partial forms.
    if result.result.status == 200, !result.result.isRecorded {
      planned.response.selectPart(for: request(), tag: file?.tag ?? result.tag)
    }
    if planned.fault == nil { planned.inject(context.stubs.takeFault(at: .response)) }
    record(planned, RecordedResponse(status: planned.statusSent, stub: stub, fault: planned.fault))
    return planned
  }

  /// Records a request that nothing serves, and returns `refusal` with the nearest stub, the differences and `hint`.
  mutating func respondUnmatched(
    _ refusal: HTTPError, _ nearest: StubTable.NearMiss?, hint: String? = nil
  ) -> PlannedResponse {
    var members: [String: TrackingValue] = [:]
    if let nearest {
      members["nearest"] = .string("\(nearest.endpoint)")
      members["differs"] = .array(nearest.differences.map { .string(HTTPError.quoted($0)) })
    }
    let reason = hint.map { "\(refusal.reason); \($0)" } ?? refusal.reason
    var planned = PlannedResponse(HTTPResponse(HTTPError(status: refusal.status, reason: reason), adding: members))
    planned.inject(context.stubs.takeFault(at: .response))
    record(
      planned,
      RecordedResponse(
        status: planned.statusSent, fault: planned.fault, isUnmatched: true,
        nearestStub: nearest.map { "\($0.endpoint): \(HTTPError.quoted($0.differences.joined(separator: "; ")))" },
        comparison: nearest?.comparison.lines(width: 92) ?? [], problem: hint))
    return planned
  }
}
