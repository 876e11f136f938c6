import Foundation

/// The exchanges with one or several backends: the content of a folder under `Recordings`.
package struct BackendRecording: Hashable, Sendable {
  /// The backends' origins by the path or host of the requests that they get: `["/*": "https://api.example"]`.
  package var upstreams: [String: String]
  /// The exchanges: in a file epoch by epoch, sorted by what a replay compares, and equal requests as they arrived.
  package var exchanges: [RecordedExchange]
  /// The templates of paths whose requests have the same responses: `/books/:id`.
  package var paths: [String]
  /// The header fields of requests that are compared, besides those that must be.
  package var matching: [String]

  /// A recording.
  package init(
    upstreams: [String: String] = [:], exchanges: [RecordedExchange] = [], paths: [String] = [],
    matching: [String] = []
  ) {
    self.upstreams = upstreams
    self.exchanges = exchanges
    self.paths = paths
    self.matching = matching
  }

  /// The exchanges, each with its epoch: its own, or the number of those before it that change something.
  package var numbered: [RecordedExchange] {
    epochs.map { index, epoch, _ in changed(exchanges[index]) { $0.epoch = epoch } }
  }

  /// The place of an exchange with its epoch, and with the epoch that follows it; 0 for none.
  typealias Epoch = (index: Int, epoch: Int, next: Int)

  /// The epoch of each exchange, and the one that follows its response; 0 for one that changes nothing.
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

  /// The deepest nesting of a body that is kept as JSON.
  package static let deepestBody = RecordingFormat.deepestBody

  /// The placeholders that responses have, and that an app sends back in a replay.
  package var handedOut: Set<String> { exchanges.reduce(into: []) { $0.formUnion($1.response.placeholders) } }
}

extension RecordedExchange.Request {
  /// Whether the method is one that changes the backend's state.
  package var changesSomething: Bool { ReceivedRequest(method: .init(rawValue: method), path: path).changesSomething }

  /// The path and the query as sent.
  package var target: String { path + (query.map { "?\($0)" } ?? "") }

  /// For messages: `GET /books?page=2`.
  package var line: String { "\(method) \(target)" }

  /// The placeholders in any part of it.
  package var placeholders: Set<String> {
    OpenText.placeholders(in: Array(([target] + headers.lines.map(\.value)).joined(separator: "\n").utf8) + body)
  }
}

extension RecordedExchange.Response {
  /// The placeholders in its header fields and its body.
  package var placeholders: Set<String> {
    OpenText.placeholders(in: Array(headers.lines.map(\.value).joined(separator: "\n").utf8) + body)
  }
}
