import Foundation
import StubModel
import TrackingModel

// Requests that stubs answer.

extension Router {
  /// What a stub replies; `nil` when none fits.
  func stubReply(to head: borrowing RequestHead, body: UnsafeRawBufferPointer, exchange: Int) -> Reply? {
    guard !stubs.isEmpty else { return nil }
    let request = head.stubRequest(body: body)
    guard let selection = stubs.take(request, json(of: request), isPreflight: isPreflight(head)) else { return nil }
    if let result = selection.result, case .bytes = result.content {
      return .answer(answer(result, content: result.bytes, selection, head, exchange: exchange))
    }
    let (stubs, depth) = (stubs, configuration.limits.jsonDepth)
    return .work { Self.work(on: selection, request, stubs, jsonDepth: depth) }
  }

  /// The answer that comes of work.
  mutating func conclude(
    _ conclusion: Conclusion, _ head: borrowing RequestHead, body: UnsafeRawBufferPointer, exchange: Int
  ) -> Reply {
    switch conclusion {
    case .result(let result, let content, let selection):
      return .answer(answer(result, content: content, selection, head, exchange: exchange))
    case .noFile(let selection):
      let name = selection.request.pathParams["*"] ?? ""
      let members: [String: TrackingValue] = [
        "error": .string("the folder of \(selection.stub.endpoint) has no file \(Self.quoted(name))")
      ]
      let answer = Answer(withSenderFields(Self.jsonResponse(404, members), head))
      record(selection.request, exchange: exchange, answer, stub: selection.stub.endpoint)
      return .answer(answer)
    case .failed(let reason, let selection):
      let problem = "the closure of \(selection.stub.endpoint) gave no answer to \(selection.request.target): \(reason)"
      let members: [String: TrackingValue] = ["error": .string(problem)]
      let answer = Answer(withSenderFields(Self.jsonResponse(500, members), head))
      record(selection.request, exchange: exchange, answer, stub: selection.stub.endpoint, problem: problem)
      return .answer(answer)
    case .declined:
      return .answer(answerUnmatched(head, body: body, exchange: exchange))
    case .events(let events):
      return .answer(answerDecoded(events, head, body: body, exchange: exchange))
    case .malformed(let reason):
      let refusal = refusalOfSession(head) ?? .badRequest(reason)
      return .answer(refuse(head, with: refusal, body: body, exchange: exchange, asEvents: true))
    case .noEvents:
      return replyUndecoded(to: head, body: body, exchange: exchange)
    }
  }

  private func json(of request: StubRequest) -> JSONBody {
    JSONBody(reading: request, maximumDepth: configuration.limits.jsonDepth)
  }

  /// 404, with the stub that comes nearest and what differs.
  func answerUnmatched(_ head: borrowing RequestHead, body: UnsafeRawBufferPointer, exchange: Int) -> Answer {
    let request = head.stubRequest(body: body)
    let nearest = stubs.nearest(to: request, json(of: request))
    var answer = Answer(withSenderFields(unmatchedResponse(to: request, nearest, head), head))
    answer.fault = stubs.takeFault(at: [.response, .responseBody, .afterResponse])
    record(request, exchange: exchange, answer, stub: nil, isUnmatched: true, nearest: nearest)
    return answer
  }

  private func unmatchedResponse(
    to request: StubRequest, _ nearest: StubTable.NearMiss?, _ head: borrowing RequestHead
  ) -> Response {
    if let nearest {
      return Self.jsonResponse(
        404,
        [
          "error": .string("no stub answers \(request.method) \(Self.quoted(request.target))"),
          "nearest": .string("\(nearest.endpoint)"),
          "differs": .array(nearest.differences.map { .string(Self.quoted($0)) }),
        ])
    }
    return Self.response(to: refusalOfUnmatched(head) ?? Refusal(status: 404, reason: "nothing is served here"))
  }

  private func answer(
    _ result: PreparedResult, content: [UInt8], _ selection: StubTable.Selection, _ head: borrowing RequestHead,
    exchange: Int
  ) -> Answer {
    var answer = Answer(result, content: content)
    answer.fault = answer.fault ?? stubs.takeFault(at: [.response, .responseBody, .afterResponse])
    record(selection.request, exchange: exchange, answer, stub: selection.stub.endpoint)
    return Answer(withSenderFields(answer.response, head), as: answer)
  }

  /// Runs a stub's closure, or those of the next stubs if it declines, and reads the file that a request names.
  private static func work(
    on selection: StubTable.Selection, _ request: StubRequest, _ stubs: StubStore, jsonDepth: Int
  ) -> Conclusion {
    var selection = selection
    var declined: Set<StubTable.ID> = []
    do {
      while true {
        if let prepared = try result(of: selection) { return try conclusion(prepared, selection) }
        declined.insert(selection.id)
        let json = JSONBody(reading: request, maximumDepth: jsonDepth)
        guard let next = stubs.take(request, json, after: selection.id, declined: declined) else { return .declined }
        selection = next
      }
    } catch {
      return .failed(StubError.text(of: error), selection)
    }
  }

  /// The answer of a stub; `nil` if its closure declines.
  private static func result(of selection: StubTable.Selection) throws -> PreparedResult? {
    guard let handler = selection.stub.handler else { return selection.result }
    return try handler.answer(selection.request).map {
      try PreparedResult($0, for: selection.stub.endpoint, folder: selection.stub.folder)
    }
  }

  private static func conclusion(_ prepared: PreparedResult, _ selection: StubTable.Selection) throws -> Conclusion {
    guard case .folder(let folder) = prepared.content else {
      return .result(prepared, content: prepared.bytes, selection)
    }
    guard let file = folder.content(ofFileNamed: selection.request.pathParams["*"] ?? "") else {
      return .noFile(selection)
    }
    return .result(prepared.with(type: file.type), content: [UInt8](file.data), selection)
  }
}
