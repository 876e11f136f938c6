import Foundation
import StubModel
import TrackingModel

// Requests that stubs answer.

extension Router {
  /// What a stub replies; `nil` when none fits.
  func stubReply(to head: borrowing RequestHead, body: UnsafeRawBufferPointer, exchange: Int) -> Reply? {
    guard !stubs.isEmpty else { return nil }
    let request = head.stubRequest(body: body, jsonDepth: configuration.limits.jsonDepth)
    guard let selection = stubs.take(request, JSONBody(of: request), isPreflight: isPreflight(head)) else { return nil }
    if let result = selection.result, case .bytes = result.content {
      return .answer(answer(result, content: result.bytes, selection, head, exchange: exchange))
    }
    return .work { Self.work(on: selection) }
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
    case .events(let events):
      return .answer(answerDecoded(events, head, body: body, exchange: exchange))
    case .malformed(let reason):
      let refusal = refusalOfSession(head) ?? .badRequest(reason)
      return .answer(refuse(head, with: refusal, body: body, exchange: exchange, asEvents: true))
    case .noEvents:
      return replyUndecoded(to: head, body: body, exchange: exchange)
    }
  }

  /// 404, with the stub that comes nearest and what differs.
  func answerUnmatched(_ head: borrowing RequestHead, body: UnsafeRawBufferPointer, exchange: Int) -> Answer {
    let request = head.stubRequest(body: body, jsonDepth: configuration.limits.jsonDepth)
    let nearest = stubs.nearest(to: request, JSONBody(of: request))
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

  /// Runs a stub's closure, and reads the file that a request names.
  private static func work(on selection: StubTable.Selection) -> Conclusion {
    do {
      let prepared: PreparedResult
      if let handler = selection.stub.handler {
        prepared = try PreparedResult(
          handler(selection.request), for: selection.stub.endpoint, folder: selection.stub.folder)
      } else if let result = selection.result {
        prepared = result
      } else {
        return .failed("it has none", selection)
      }
      guard case .folder(let folder) = prepared.content else {
        return .result(prepared, content: prepared.bytes, selection)
      }
      guard let file = folder.content(ofFileNamed: selection.request.pathParams["*"] ?? "") else {
        return .noFile(selection)
      }
      return .result(prepared.with(type: file.type), content: [UInt8](file.data), selection)
    } catch {
      return .failed("\(error)", selection)
    }
  }
}
