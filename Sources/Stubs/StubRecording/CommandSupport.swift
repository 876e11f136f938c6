import Foundation
import StubReplay
import TrackingModel

extension BackendRecording {
  /// A recording of another tool's exchanges, changed as a recorder changes them: the backends' URLs become `{base}`, and fields that
  /// concern one connection are removed.
  ///
  /// Secrets are replaced when it is written.
  package init(importing exchanges: [RecordedExchange], upstreams: [String: String]) {
    self.init(upstreams: upstreams)
    let rules = ResponseRules(origins: Set(exchanges.map(\.request.origin)).sorted())
    self.exchanges = exchanges.map { exchange in
      var exchange = exchange
      let dropped = ConnectionFields.of(exchange.request.headers)
      exchange.request.headers.lines.removeAll { dropped.contains($0.name.lowercased()) }
      exchange.answer = rules.applied(
        to: UpstreamResponse(
          status: exchange.answer.status, headers: exchange.answer.headers, body: exchange.answer.body))
      return exchange
    }
  }
}
