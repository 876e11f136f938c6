import TrackingSockets

/// Why a request got no answer.
enum ExchangeError: Error, Hashable {
  case unreachable([SocketError])
  case timedOut
  case closed
  case broken(SocketError)
  case notAnAnswer(AnswerError)
}

extension ExchangeError: CustomStringConvertible {
  var description: String {
    switch self {
    case .unreachable(let failures): failures.map(\.description).joined(separator: "; ")
    case .timedOut: "no answer came in time"
    case .closed: "the connection was closed before an answer came"
    case .broken(let failure): "the connection broke before an answer came: \(failure)"
    case .notAnAnswer(let error): "\(error)"
    }
  }
}
