import Foundation
import StubModel
import TrackingPatterns
import TrackingServer

// How all waits for requests ask.

extension TrackingVerifier {
  /// A question for requests as it will be asked; a failure that has not been reported where it cannot be.
  func requestQuestion(
    _ endpoint: StubEndpoint, _ count: EventCount, since mark: Mark?, _ timeout: TimeInterval?, _ location: CodeLocation
  ) -> Result<RequestQuestion, UnaskableQuestion> {
    guard let origin = origin(mark) else {
      return .failure(UnaskableQuestion(failure: .foreignMark(at: location)))
    }
    if let problem = count.problem(of: "requests") {
      return .failure(
        UnaskableQuestion(failure: VerificationFailure(kind: .invalidQuestion, message: problem, location: location)))
    }
    do throws(StubError) {
      return .success(
        RequestQuestion(
          matcher: try StubMatcher(endpoint), count: count, origin: origin,
          timeout: timeout ?? configuration.timeout, settling: configuration.settling, location: location))
    } catch {
      return .failure(
        UnaskableQuestion(
          failure: VerificationFailure(
            kind: .invalidQuestion, message: Excerpt.wrapped("No request can match \(endpoint): \(error)."),
            location: location)))
    }
  }

  /// Asks, and reports a failure as the last thing that it does.
  func ask(_ question: Result<RequestQuestion, UnaskableQuestion>) -> [RecordedRequest] {
    switch question {
    case .failure(let reason):
      fail(reason.failure)
      return []
    case .success(let question):
      guard withUnsafeCurrentTask(body: { $0 == nil }) else {
        fail(.blockingInTask(at: question.location))
        return []
      }
      stopAtTheEndOfTheTest()
      var wait = JournalWait<RecordedRequest>(
        journal: journal, from: question.origin.entry, timeout: question.timeout)
      var run = RequestRun(question, on: wait.scale)
      let end = wait.run({ run.take($0) }, until: { run.end() })
      return conclude(question, wait, run, end)
    }
  }

  /// The same without blocking a thread.
  func ask(
    _ question: Result<RequestQuestion, UnaskableQuestion>, isolation: isolated (any Actor)? = #isolation
  ) async -> [RecordedRequest] {
    switch question {
    case .failure(let reason):
      fail(reason.failure)
      return []
    case .success(let question):
      stopAtTheEndOfTheTest()
      var wait = JournalWait<RecordedRequest>(
        journal: journal, from: question.origin.entry, timeout: question.timeout)
      var run = RequestRun(question, on: wait.scale)
      let end = await wait.run({ run.take($0) }, until: { run.end() })
      return conclude(question, wait, run, end)
    }
  }

  private func conclude(
    _ question: RequestQuestion, _ wait: JournalWait<RecordedRequest>, _ run: RequestRun, _ end: WaitEnd
  ) -> [RecordedRequest] {
    let standing = run.standing
    if standing == .met || standing == .holding && end != .cancelled {
      state.withLock { $0.requests.note(run.matched, of: question, on: wait.scale, next: wait.next) }
      return run.matched
    }
    if standing == .open, end == .time {
      state.withLock { $0.requests.noteMiss(run.matched, of: question, on: wait.scale, next: wait.next) }
    }
    let isCancelled = end == .cancelled && standing != .broken
    let report = RequestReport(
      question: question, matched: run.matched,
      requests: journal.requests(since: question.origin).filter { $0.arrival <= wait.scale.deadline },
      scale: wait.scale,
      isDecided: standing == .broken, isCancelled: isCancelled, endpoint: lastEndpoint?.url,
      connections: journal.connections)
    fail(
      VerificationFailure(
        kind: isCancelled ? .cancelled : standing == .broken ? .tooMany : .tooFew, message: report.text,
        location: question.location))
    return run.matched
  }
}
