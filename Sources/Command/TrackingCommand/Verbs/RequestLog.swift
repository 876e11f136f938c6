import Foundation
import StubRecording
import TrackingModel
import TrackingServer

/// Prints a server's completed requests, in order, and counts them.
///
/// Secrets are removed, because a build's log may be kept.
struct RequestLog {
  let isJSON: Bool
  let output: Output
  /// The words for a request without a response.
  let unmatchedText: String
  /// Replaces the secrets in a line; by default, those recognizable by name or form.
  var redacted: (String) -> String = SecretRedaction().redacted
  private(set) var count = 0
  private(set) var unmatched = 0
  private(set) var next = 1

  /// Prints new requests; with `toTheEnd`, even those still without a response.
  mutating func showNews(of server: TrackingServer, toTheEnd: Bool = false) throws {
    let news = server.journal.received(from: next)
    for request in news.requests {
      guard request.hasResponse || toTheEnd else {
        next = request.number
        return
      }
      // Printed as a submission.
      guard !request.isRejectedSubmission else { continue }
      count += 1
      if request.isUnmatched { unmatched += 1 }
      try show(request)
    }
    next = news.next
  }

  var summary: String { count.counted("request") }

  private func show(_ request: RecordedRequest) throws {
    let target = redacted(request.target)
    let nearest = request.nearest.map(redacted)
    let problem = request.reason.map(redacted)
    guard !isJSON else {
      return try output.jsonLine([
        "kind": "request", "number": request.number, "method": request.method.rawValue, "target": target,
        "status": request.status, "isMatched": !request.isUnmatched, "nearest": nearest, "problem": problem,
      ])
    }
    try output.line("\(request.status.map(String.init) ?? "---") \(request.method) \(target)")
    if let problem { try output.line("    \(problem)") }
    if request.isUnmatched {
      try output.line("    \(unmatchedText)\(nearest.map { "; nearest is \($0)" } ?? "")", in: .red)
    }
  }
}
