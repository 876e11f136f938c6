import Foundation
import StubModel
import StubReplay
import TrackingSecrets

/// Requests of a recording that a replay can't distinguish although their responses differ, so that only the recorded order is right.
struct Indistinguishable {
  private let sent: [RecordedExchange]
  private let recorded: BackendRecording
  /// As sent, each with the conditions that only an equal request meets.
  private let requests: [Request]
  /// The values of the fields that identify a sender: credentials, and others that are secret, are sent several times, or don't differ in each
  /// request by their names or values.
  private let senders: [[String: String]]

  private struct Request: Hashable {
    let conditions: RecordedConditions
    /// The path and the query, if they aren't texts.
    let target: String?
  }

  /// `sent` has the exchanges with their secrets in the order of arrival, `recorded` the same without secrets, with all header fields.
  init(sent: [RecordedExchange], recorded: BackendRecording) {
    (self.sent, self.recorded) = (sent, recorded)
    let conditions = changed(recorded) { ($0.exchanges, $0.matching) = (sent, []) }.conditions(comparing: [])
    requests = zip(sent, conditions).map {
      Request(conditions: $1, target: ReceivedFields.isText($0.request.target.utf8) ? nil : $0.request.target)
    }
    senders = Self.senders(of: sent, recorded)
  }

  /// One warning for each group of such requests, in the order of arrival.
  var warnings: [String] {
    let suspects = groups(of: Array(sent.indices), conditions(matching: [])).filter(isWrong)
    guard !suspects.isEmpty else { return [] }
    let names = Set(suspects.joined().flatMap { senders[$0].keys }).sorted()
    let refined = names.map { (name: $0, conditions: conditions(matching: [$0])) }
    return suspects.map { group in
      let name = refined.first { !groups(of: group, $0.conditions).contains(where: isWrong) }?.name
      let requests = Set(group.map { self.requests[$0] }).count
      let line = recorded.exchanges[group[0]].request.line
      let subject =
        requests > 1
        ? "\(line): \(requests) requests with different responses differ only in what is replaced"
        : "\(line) was sent by \(Set(group.map { senders[$0] }).count) senders with different responses"
      return name.map { "\(subject); to distinguish them: `matching: [\"\($0)\"]`" }
        ?? "\(subject); only the recorded order is right"
    }
  }

  /// The conditions of a replay that compares more fields.
  private func conditions(matching names: [String]) -> [RecordedConditions] {
    changed(recorded) { $0.matching += names }.withKeptFields.conditions
  }

  private func groups(of indices: [Int], _ conditions: [RecordedConditions]) -> [[Int]] {
    Dictionary(grouping: indices) { conditions[$0] }.values.sorted { $0[0] < $1[0] }
  }

  /// Whether different requests, or senders, of a group have different responses.
  private func isWrong(_ group: [Int]) -> Bool {
    guard group.count > 1 else { return false }
    let responses = Set(group.map { recorded.exchanges[$0].response })
    guard responses.count > 1 else { return false }
    return Set(group.map { Sent(request: requests[$0], sender: senders[$0]) }).count > 1
  }

  private struct Sent: Hashable {
    let request: Request
    let sender: [String: String]
  }

  private static func senders(of sent: [RecordedExchange], _ recorded: BackendRecording) -> [[String: String]] {
    let cookies = recorded.backendCookies
    let fields = sent.map { exchange in
      exchange.request.headers.lines.flatMap { field in
        guard field.name.lowercased() == "cookie" else { return [field] }
        return OpenText.cookies(of: field.value).map { NamedText(name: "Cookie", value: "\($0.name)=\($0.value)") }
      }
    }
    let counts = Dictionary(fields.joined().map { ($0, 1) }, uniquingKeysWith: +)
    let values = Dictionary(grouping: counts.keys, by: \.senderName)
    func identifies(_ field: NamedText) -> Bool {
      let isRepeated = counts[field, default: 0] > 1
      return isRepeated
        || !field.isAboutRequest && !(field.hasGeneratedValue && values[field.senderName, default: []].count > 2)
    }
    return zip(fields, recorded.exchanges).map { fields, exchange in
      let saying = fields.filter { field in
        switch field.name.lowercased() {
        case "authorization": true
        // Parts of a request, which are compared where responses depend on them.
        case "content-type", "accept-language", "range", "if-none-match", "if-modified-since": false
        case "cookie": identifies(field) || cookies.contains(String(field.value.prefix { $0 != "=" }))
        default: identifies(field) || exchange.request.headers[field.name] != field.value
        }
      }
      return Dictionary(grouping: saying, by: \.name).mapValues { $0.map(\.value).sorted().joined(separator: "; ") }
    }
  }
}

/// The facts about a field, or a cookie `name=value`, that was sent once.
extension NamedText {
  /// The name of a field or a cookie.
  fileprivate var senderName: String {
    (name.lowercased() == "cookie" ? String(value.prefix { $0 != "=" }) : name).lowercased()
  }

  fileprivate var hasGeneratedValue: Bool {
    Array((name.lowercased() == "cookie" ? value.drop { $0 != "=" }.dropFirst() : value[...]).utf8).isMadeUp
  }

  /// Whether the name is that of a field that differs from request to request of one sender, like `X-Request-Id` or `Referer`.
  fileprivate var isAboutRequest: Bool {
    let name = senderName
    return Self.requestFields.contains(name) || Self.requestBeginnings.contains(where: name.hasPrefix)
      || SecretNames.words(of: name).contains(where: Self.requestWords.contains)
  }

  private static let requestFields = Set(
    "accept-encoding cache-control expect origin pragma prefer priority referer te trailer upgrade-insecure-requests via"
      .split(separator: " ").map(String.init))
  private static let requestBeginnings = ["access-control-", "content-", "if-", "sec-"]
  private static let requestWords = Set(
    """
    request correlation trace traceparent tracestate traceid span baggage invocation transaction nonce time timestamp date
    idempotency signature digest checksum retry attempt sequence seq counter count
    """.split { $0.isWhitespace }.map(String.init))
}
