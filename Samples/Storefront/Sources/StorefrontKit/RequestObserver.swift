import Foundation

/// Is told of each request of a catalogue to its backend, as a monitoring agent is.
public protocol RequestObserver: Sendable {
  /// A request is over; `status` is `nil` without a response.
  func requestEnded(_ request: URLRequest, status: Int?) async
}
