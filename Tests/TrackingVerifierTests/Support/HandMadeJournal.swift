import Foundation
import TrackingJSON
import TestSupport
import TrackingModel

@testable import TrackingServer
@testable import TrackingVerifier

/// Events at times of a test's choice, and what a failed wait that began at zero says about them.
struct HandMadeJournal {
  private(set) var events: [RecordedEvent] = []
  private(set) var requests: [RecordedRequest] = []
  var rejections: [RejectedSubmission] = []
  var lost: [LostEvents] = []
  var claimed: Set<Int> = []
  var endpoint = URL(string: "http://[::1]:50123")
  var connections = 1
  private let zero = ContinuousClock.now

  /// The entries by their arrival, events after rejections.
  var entries: [JournalEntry] {
    (rejections.map(JournalEntry.rejection) + events.map(JournalEntry.event) + requests.map(JournalEntry.request))
      .enumerated().sorted { ($0.element.arrival, $0.offset) < ($1.element.arrival, $1.offset) }.map(\.element)
  }

  /// Of a wait of 5 seconds.
  var scale: Timescale { Timescale(began: zero, deadline: zero + .seconds(5)) }

  /// Adds an event that came so many milliseconds after the wait began.
  mutating func add(
    _ name: String, _ params: [TrackingParam: TrackingValue] = [:], at milliseconds: Int, launch: String? = nil
  ) {
    add(TrackingEvent(name: name, params: params), at: milliseconds, launch: launch)
  }

  mutating func add(_ event: TrackingEvent, at milliseconds: Int, launch: String? = nil) {
    events.append(
      RecordedEvent(
        event: event, number: events.count + 1, arrival: zero + .milliseconds(milliseconds), connection: nil,
        launch: launch, sequence: nil, isAcknowledged: true))
  }

  /// Adds a request that came so many milliseconds after the wait began; one without a stub is unmatched.
  mutating func request(
    _ method: String, _ target: String, body: String = "", status: Int? = 404, stub: StubEndpoint? = nil,
    fault: Fault? = nil, nearest: String? = nil, at milliseconds: Int
  ) {
    let parts = target.split(separator: "?", maxSplits: 1).map(String.init)
    let request = StubRequest(
      method: method, path: parts[0], queryText: parts.dropFirst().first, body: Data(body.utf8))
    var recorded = RecordedRequest(
      request, connection: 1, exchange: requests.count + 1,
      answer: RecordedAnswer(status: status, stub: stub, fault: fault, isUnmatched: stub == nil, nearestStub: nearest))
    recorded.arrival = zero + .milliseconds(milliseconds)
    recorded.number = requests.count + 1
    requests.append(recorded)
  }

  mutating func reject(_ reason: String, path: String? = nil, body: String = "", status: Int = 400) {
    var rejection = RejectedSubmission(
      status: status, reason: reason, path: path, offset: nil, body: Data(body.utf8), bodySize: body.utf8.count,
      connection: 1, launch: nil)
    rejection.arrival = zero
    rejections.append(rejection)
  }

  /// Adds the rejection of a body, with the reason that the server gives.
  mutating func reject(body: String) {
    do {
      _ = try Array(body.utf8).withUnsafeBufferPointer { try EventIntake(maximumDepth: 64).events(in: $0) }
    } catch let error as JSONError {
      reject(error.reason, path: error.path.isEmpty ? nil : error.path, body: body)
    } catch {}
  }

  /// What a wait of 5 seconds reports.
  func failure(
    of verification: Verification, since origin: Int = 1, asked: FailureReport.Asked? = nil,
    zero name: String = "the wait began"
  ) -> FailureReport {
    var scale = scale
    scale.zero = name
    var evaluation = evaluation(of: verification)
    for event in events where event.number >= origin && event.arrival <= scale.deadline {
      if !evaluation.standing.isFinal { _ = evaluation.take(event) }
    }
    evaluation.look(at: journal)
    return FailureReport(
      of: question(verification), asked: asked ?? (evaluation.standing == .broken ? .untilDecided : .waited(5)),
      evidence(since: origin), on: scale, evaluation.explanation)
  }

  /// What a wait of 5 seconds reports that asks for a typed event, which none of the events is.
  func failure<Typed>(of question: Question, _ judge: (TrackingEvent) -> Judgement<Typed>) -> FailureReport {
    FailureReport(
      of: question, asked: .waited(5), evidence(since: 1), on: scale, explaining: { judge($1).mismatch },
      evaluation(of: question.verification).explanation)
  }

  /// What a wait of 5 seconds for requests reports.
  func failure(ofRequests endpoint: StubEndpoint, _ count: EventCount) -> VerificationFailure {
    let matcher = try! StubMatcher(endpoint)
    let question = RequestQuestion(
      matcher: matcher, count: count, origin: .beginning, timeout: 5, settling: 0.25, location: CodeLocation())
    var run = RequestRun(question, on: scale)
    for request in requests where !run.standing.isFinal { _ = run.take(request) }
    let report = RequestReport(
      question: question, matched: run.matched, requests: requests, scale: scale,
      isDecided: run.standing == .broken, isCancelled: false, endpoint: self.endpoint, connections: connections)
    return VerificationFailure(
      kind: run.standing == .broken ? .tooMany : .tooFew, message: report.text, location: question.location)
  }

  private func evidence(since origin: Int) -> Evidence {
    Evidence(
      events: events, origin: origin, unmatched: requests.filter(\.isUnmatched), rejections: rejections, lost: lost,
      endpoint: endpoint, connections: connections)
  }

  func question(_ verification: Verification) -> Question {
    Question(
      verification: verification, words: "\(verification)", location: CodeLocation(), origin: .beginning, timeout: 5,
      settling: 0.25)
  }

  private func evaluation(of verification: Verification) -> any Evaluation {
    let claimed = claimed
    return verification.evaluation(since: .beginning) { claimed.contains($0.number) }
  }

  /// A journal that has the rejections and the losses.
  private var journal: Journal {
    let journal = Journal(limits: TrackingServer.Limits())
    for request in requests { journal.record(request) }
    for rejection in rejections { journal.record(rejection) }
    for lost in lost {
      for number in 1...lost.tracked where !lost.numbers.contains(where: { $0.contains(number) }) {
        let sender = Journal.Sender(launch: lost.launch, sequence: number, isOfSession: true)
        _ = journal.record([TrackingEvent(name: "numbered")], bodySize: 0, from: sender)
      }
    }
    return journal
  }
}
