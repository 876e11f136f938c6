import Foundation
import TrackingModel
import TrackingServer

extension TrackingVerifier {
  /// Reports a wait that was in vain, as the last thing that it does.
  func reportMiss<Answer>(
    of question: WaitQuestion, _ wait: EventWait, isCancelled: Bool = false,
    _ judge: (TrackingEvent) -> Judgement<Answer>
  ) {
    let mark = mark
    var report = WaitReport(question: question.description, timeout: question.timeout, isCancelled: isCancelled)
    report.arrivals = journal.events(from: mark.event).compactMap { recorded in
      guard case .miss(let mismatch) = judge(recorded.event) else { return nil }
      return WaitReport.Arrival(
        number: recorded.number, event: recorded.event, offset: recorded.arrival - wait.began, mismatch: mismatch)
    }
    report.rejections = journal.rejections(since: mark)
    report.lost = journal.lostEvents(since: mark)
    report.endpoint = lastEndpoint?.url
    report.connections = journal.connections
    self.report(isCancelled ? .cancelled : .tooFew, report.text, at: question.location)
  }
}
