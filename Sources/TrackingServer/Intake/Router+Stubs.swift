import Foundation
import StubModel
import TrackingModel

/// What came of work for a request.
enum Conclusion: Sendable {
  /// A stub's answer.
  case result(PreparedResult, content: [UInt8], StubTable.Selection)
  /// A stub's folder has no such file.
  case noFile(StubTable.Selection)
  /// A stub's closure gave no answer, and why.
  case failed(String, StubTable.Selection)
  /// The request was events.
  case events([TrackingEvent])
  /// The request should have been events, and why it is not.
  case malformed(String)
  /// The request was no events.
  case noEvents
}

// Requests that stubs answer.

extension Router {
  /// The fault of a request whose head has been read, if it is not to be read any further.
  func earlyFault(of head: borrowing RequestHead, exchange: Int) -> Fault? {
    let empty = UnsafeRawBufferPointer(start: nil, count: 0)
    if isSubmission(head) {
      guard let fault = stubs.earlyEventFault() else { return nil }
      record(head, body: empty, exchange: exchange, status: nil, fault: fault)
      return fault
    }
    guard !stubs.isEmpty else { return nil }
    if let fault = stubs.takeFault(at: [.requestHead, .requestBody]) {
      record(head, body: empty, exchange: exchange, status: nil, fault: fault)
      return fault
    }
    guard let selection = stubs.takeEarlyFault(head.stubRequest()), let result = selection.result else { return nil }
    let answer = Answer(result, content: [])
    record(selection.request, exchange: exchange, answer, stub: selection.stub.endpoint)
    return answer.fault
  }

  /// What a stub replies; `nil` when none fits.
  func stubReply(to head: borrowing RequestHead, body: UnsafeRawBufferPointer, exchange: Int) -> Reply? {
    guard !stubs.isEmpty, let selection = stubs.take(head.stubRequest(body: body)) else { return nil }
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
      let sender = Journal.Sender(connection: connection)
      var usual = Response(status: 200)
      usual.content = []
      return .answer(answer(events, from: sender, as: Answer(usual), head, body: body, exchange: exchange))
    case .malformed(let reason):
      let refusal = Refusal.badRequest(reason)
      record(head, body: body, exchange: exchange, status: refusal.status)
      reject(head, with: refusal, body: body)
      return .answer(Answer(withSenderFields(Self.response(to: refusal), head)))
    case .noEvents:
      return replyUndecoded(to: head, body: body, exchange: exchange)
    }
  }

  /// 404, with the stub that comes nearest and what differs.
  func answerUnmatched(_ head: borrowing RequestHead, body: UnsafeRawBufferPointer, exchange: Int) -> Answer {
    let request = head.stubRequest(body: body)
    let nearest = stubs.nearest(to: request)
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

// Requests that are events in another format than the server's own.

extension Router {
  func hasDecodings(for head: borrowing RequestHead) -> Bool {
    !stubs.isEmpty && !stubs.decodings(for: head.stubRequest()).isEmpty
  }

  /// What has to be done to know whether a request is events; `nil` when no decoding fits it.
  func decodingWork(
    for head: borrowing RequestHead, body: UnsafeRawBufferPointer
  ) -> (@Sendable () -> Conclusion)? {
    guard !stubs.isEmpty, !configuration.requiresSession || head.field(.trackingSession, equals: session) else {
      return nil
    }
    let request = head.stubRequest(body: body)
    let decodings = stubs.decodings(for: request)
    guard !decodings.isEmpty else { return nil }
    return {
      for decoding in decodings {
        do {
          if let events = try decoding.events(in: request) { return .events(events) }
        } catch {
          return .malformed("\(type(of: decoding)) cannot read the request: \(error)")
        }
      }
      return .noEvents
    }
  }
}

// What an app says of the way in which it was launched.

extension Router {
  func isProblemReport(_ head: borrowing RequestHead) -> Bool {
    head.method == .post && head.path(equals: "/tracking-problem")
  }

  /// Keeps what an app found wrong, so that the test fails.
  func answerProblemReport(_ head: borrowing RequestHead, body: UnsafeRawBufferPointer, exchange: Int) -> Answer {
    guard head.field(.trackingSession, equals: session) else {
      return refuse(
        head, with: Refusal(status: 403, reason: RejectedSubmission.otherSessionReason), body: body, exchange: exchange)
    }
    let text = String(decoding: body.prefix(4_096), as: UTF8.self)
    // RFC 9110 15.5.21: it was understood, and what it says is wrong.
    reject(head, with: Refusal(status: 422, reason: Self.quoted(text)), body: body)
    return Answer(withSenderFields(.done, head))
  }
}
