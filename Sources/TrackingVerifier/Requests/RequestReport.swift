import Foundation
import StubModel
import TrackingPatterns
import TrackingServer

/// The text of a failure about requests.
struct RequestReport {
  let question: RequestQuestion
  let matched: [RecordedRequest]
  /// All requests since the verifier began or was reset, or since the mark.
  let requests: [RecordedRequest]
  let scale: Timescale
  /// Whether the wait was ended by something that came, or by its task.
  let isDecided: Bool
  let isCancelled: Bool
  let endpoint: URL?
  let connections: Int

  /// The whole text.
  var text: String {
    [headline, nearest, came, submissions, silence].filter { !$0.isEmpty }.joined(separator: "\n\n")
  }

  private var headline: String {
    let beginning =
      isCancelled
      ? "The task was cancelled while it waited for the request "
      : isDecided ? "Waited for the request " : "Waited \(TimeText.seconds(question.timeout)) for the request "
    return Excerpt.wrapped("\(beginning)\(question.words)", indent: 4) + "\n" + Excerpt.wrapped(result)
  }

  private var result: String {
    let total =
      switch requests.count {
      case 0: "No request came"
      case 1: "One request came"
      case let count: "\(count) requests came"
      }
    if requests.isEmpty { return "\(total)." }
    switch (matched.count, requests.count) {
    case (0, 1): return "\(total), and it did not match."
    case (0, _): return "\(total), and none matched."
    case (1, 1): return "\(total), and it matched."
    case (1, _): return "\(total), and one matched."
    case (requests.count, _): return "\(total), and all matched."
    case (let count, _): return "\(total), and \(count) matched."
    }
  }

  /// The request that comes nearest, and what differs, where one is missing.
  private var nearest: String {
    guard matched.count < question.count.least else { return "" }
    let misses = requests.compactMap { request in
      let differences = question.matcher.differences(of: request.request)
      return differences.isEmpty ? nil : (request: request, differences: differences)
    }
    let nearest = misses.min { left, right in
      left.differences.reduce(0) { $0 + $1.weight } < right.differences.reduce(0) { $0 + $1.weight }
    }
    guard let nearest else { return "" }
    let lines = nearest.differences.map { "    " + Excerpt.of($0.text, width: Excerpt.columns - 4) }
    return (["Nearest is \(Excerpt.of("\(nearest.request.method) \(nearest.request.target)", width: 80)):"] + lines)
      .joined(separator: "\n")
  }

  private var came: String {
    guard !requests.isEmpty else { return "" }
    let notes = Dictionary(uniqueKeysWithValues: matched.map { ($0.number, "matches") })
    return (["What came, by the time since \(scale.zero):"] + RequestList.lines(of: requests, on: scale, notes: notes))
      .joined(separator: "\n")
  }

  /// Said to those who ask for what a tracker sends.
  private var submissions: String {
    let submission = StubRequest(method: "POST", path: "/")
    guard matched.isEmpty, question.matcher.matchesHead(of: submission) else { return "" }
    return Excerpt.wrapped(
      "A submission of events to POST / is a request only when it was refused: wait for its events.")
  }

  private var silence: String {
    guard requests.isEmpty else { return "" }
    guard let endpoint else { return "The verifier was not started." }
    guard connections == 0 else {
      return "\(Excerpt.count(connections, "connection")) reached \(endpoint.absoluteString)."
    }
    return Excerpt.wrapped("No connection reached \(endpoint.absoluteString): does the app use `verifier.baseURL`?")
  }
}
