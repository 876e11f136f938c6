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
      let answer = answer(result, content: result.bytes, head)
      record(selection.request, exchange: exchange, answer: RecordedAnswer(answer, by: selection.stub.endpoint))
      return .answer(answer)
    }
    // Before the closure runs: a test may wait for a request whose answer it holds back.
    let number = record(selection.request, exchange: exchange)
    return .work { Self.work(on: selection, number: number) }
  }

  /// The answer that comes of work.
  mutating func conclude(
    _ conclusion: Conclusion, _ head: borrowing RequestHead, body: UnsafeRawBufferPointer, exchange: Int
  ) -> Reply {
    switch conclusion {
    case .result(let result, let content, let selection, let number):
      let answer = answer(result, content: content, head)
      journal.answer(number, with: RecordedAnswer(answer, by: selection.stub.endpoint))
      return .answer(answer)
    case .noFile(let selection, let number):
      let name = selection.request.pathParams["*"] ?? ""
      let members: [String: TrackingValue] = [
        "error": .string("the folder of \(selection.stub.endpoint) has no file \(Self.quoted(name))")
      ]
      let answer = Answer(withSenderFields(Self.jsonResponse(404, members), head))
      journal.answer(number, with: RecordedAnswer(answer, by: selection.stub.endpoint))
      return .answer(answer)
    case .failed(let reason, let selection, let number):
      let problem = "the closure of \(selection.stub.endpoint) gave no answer to \(selection.request.target): \(reason)"
      let members: [String: TrackingValue] = ["error": .string(problem)]
      let answer = Answer(withSenderFields(Self.jsonResponse(500, members), head))
      var recorded = RecordedAnswer(answer, by: selection.stub.endpoint)
      recorded.problem = problem
      journal.answer(number, with: recorded)
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
    var recorded = RecordedAnswer(answer)
    recorded.isUnmatched = true
    recorded.nearestStub = nearest.map { "\($0.endpoint): \(Self.quoted($0.differences.joined(separator: "; ")))" }
    record(request, exchange: exchange, answer: recorded)
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

  private func answer(_ result: PreparedResult, content: [UInt8], _ head: borrowing RequestHead) -> Answer {
    var answer = Answer(result, content: content)
    answer.fault = answer.fault ?? stubs.takeFault(at: [.response, .responseBody, .afterResponse])
    return Answer(withSenderFields(answer.response, head), as: answer)
  }

  /// Runs a stub's closure, and reads the file that a request names.
  private static func work(on selection: StubTable.Selection, number: Int?) -> Conclusion {
    do {
      let prepared: PreparedResult
      if let handler = selection.stub.handler {
        prepared = try PreparedResult(
          handler(selection.request), for: selection.stub.endpoint, folder: selection.stub.folder)
      } else if let result = selection.result {
        prepared = result
      } else {
        return .failed("it has none", selection, number: number)
      }
      guard case .folder(let folder) = prepared.content else {
        return .result(prepared, content: prepared.bytes, selection, number: number)
      }
      guard let file = folder.content(ofFileNamed: selection.request.pathParams["*"] ?? "") else {
        return .noFile(selection, number: number)
      }
      return .result(prepared.with(type: file.type), content: [UInt8](file.data), selection, number: number)
    } catch {
      return .failed("\(error)", selection, number: number)
    }
  }
}

extension RecordedAnswer {
  fileprivate init(_ answer: Answer, by stub: StubEndpoint? = nil) {
    self.init(status: answer.statusSent, stub: stub, fault: answer.fault)
  }
}
