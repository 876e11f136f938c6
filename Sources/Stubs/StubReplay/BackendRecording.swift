import Foundation

/// The exchanges with one or several backends: the content of a folder in `Recordings`.
package struct BackendRecording: Hashable, Sendable {
  /// The backends' origins by the path or host of their requests: `["/*": "https://api.example"]`.
  package var upstreams: [String: String]
  /// In a file, sorted by epoch and by the values that a replay compares; equal requests are in the order of arrival.
  package var exchanges: [RecordedExchange]
  /// The templates of paths whose requests have the same responses: `/books/:id`.
  package var paths: [String]
  /// The compared header fields of requests, besides those that are always compared.
  package var matching: [String]

  package init(
    upstreams: [String: String] = [:], exchanges: [RecordedExchange] = [], paths: [String] = [],
    matching: [String] = []
  ) {
    self.upstreams = upstreams
    self.exchanges = exchanges
    self.paths = paths
    self.matching = matching
  }

  /// The exchanges, each with its epoch: its own, or the number of earlier exchanges that change something.
  package var numbered: [RecordedExchange] {
    epochs.map { index, epoch, _ in changed(exchanges[index]) { $0.epoch = epoch } }
  }

  typealias Epoch = (index: Int, epoch: Int, next: Int)

  /// The epoch of each exchange, and the one that follows its response; 0 if it changes nothing.
  var epochs: [Epoch] {
    var latest = 0
    return exchanges.enumerated().map { index, exchange in
      let epoch = exchange.epoch ?? latest
      guard exchange.request.changesSomething else { return (index, epoch, 0) }
      // Clamped, because a person may have written any number into a file.
      latest = min(max(latest, epoch), .max - 1) + 1
      return (index, epoch, latest)
    }
  }

  /// The placeholders in responses, which an app sends back in a replay.
  package var handedOut: Set<String> { exchanges.reduce(into: []) { $0.formUnion($1.response.placeholders) } }

  /// The names of the cookies that responses set, or in which the app sends a value from a response.
  package var backendCookies: Set<String> {
    let handedOut = handedOut
    var names: Set<String> = []
    for exchange in exchanges {
      for field in exchange.response.headers.lines where field.name.lowercased() == "set-cookie" {
        names.insert(field.value.prefix { $0 != "=" }.trimmingCharacters(in: .whitespaces))
      }
      for cookie in OpenText.cookies(of: exchange.request.headers["Cookie"] ?? "")
      where !OpenText.placeholders(in: Array(cookie.value.utf8)).isDisjoint(with: handedOut) {
        names.insert(cookie.name)
      }
    }
    return names
  }
}

extension RecordedExchange.Request {
  package var changesSomething: Bool { ReceivedRequest(method: .init(rawValue: method), path: path).changesSomething }

  package var target: String { path + (query.map { "?\($0)" } ?? "") }

  /// For messages: `GET /books?page=2`.
  package var line: String { "\(method) \(target)" }

  package var placeholders: Set<String> {
    OpenText.placeholders(in: Array(([target] + headers.lines.map(\.value)).joined(separator: "\n").utf8) + body)
  }
}

extension RecordedExchange.Response {
  package var placeholders: Set<String> {
    OpenText.placeholders(in: Array(headers.lines.map(\.value).joined(separator: "\n").utf8) + body)
  }
}
