import Foundation
import TrackingModel
import TrackingSockets

/// The meaning of a response for the posted events.
enum DeliveryResult: Equatable {
  case acknowledged
  /// Undecided: send the events again later.
  case unsettled(String)
  /// Another server responded: send the events again later, over a new connection.
  case stranger(String)
  case refused(String)
  /// One of several events is invalid: send each again alone.
  case refusedTogether
  /// The server accepts no events of this double: all pending events have failed.
  case barred(String)

  /// A success must carry `session`, unless it is `nil`.
  init(_ response: ReceivedResponse, count: Int, session: String?) {
    switch response.status {
    case 200..<300 where session == nil || response.session == session:
      self = .acknowledged
    case 200..<300:
      self = .stranger(
        "another server uses the port: it responded with \(response.statusText) without this session's token")
    case 408, 500..<600:
      self = .unsettled(Self.reason(response))
    case 400, 413, 415:
      self = count > 1 ? .refusedTogether : .refused(Self.reason(response))
    // With the session's token, the test's own response to these events.
    case 403 where session == nil || response.session != session:
      self = .barred(Self.reason(response))
    default:
      self = .refused(Self.reason(response))
    }
  }

  /// The status and, if there is one, the server's explanation: `the server responded with 400 Bad Request: not a number, at params.price`.
  private static func reason(_ response: ReceivedResponse) -> String {
    struct Explanation: Decodable {
      let error: String
      let path: String?
    }
    let explanation = try? JSONDecoder().decode(Explanation.self, from: Data(response.body))
    let words = explanation.map { ": \($0.error)" + ($0.path.map { ", at \($0)" } ?? "") }
    return "the server responded with \(response.statusText)\(words ?? "")"
  }
}
