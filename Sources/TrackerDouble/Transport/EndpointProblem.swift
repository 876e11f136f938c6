import Foundation
import TrackingModel

/// Why a double does not take an endpoint.
enum EndpointProblem: Error, Hashable {
  case handedOver(String?)
  case scheme(URL)
  case host(URL)
  case port(URL)
  case credentials(URL)
  case session
}

extension EndpointProblem: CustomStringConvertible {
  var description: String {
    switch self {
    case .handedOver(nil):
      "\(TrackingEndpoint.sessionVariable) was handed over without \(TrackingEndpoint.urlVariable)"
    case .handedOver(let text?):
      "\(TrackingEndpoint.urlVariable) is no http URL with a host: \"\(text)\""
    case .scheme(let url):
      "events go over http, which \(url.absoluteString) does not name"
    case .host(let url):
      "events go to this machine alone (::1, 127.0.0.1 or localhost), which \(url.absoluteString) does not name"
    case .port(let url):
      "\(url.absoluteString) names a port that does not exist"
    case .credentials(let url):
      "credentials are not sent, but \(url.scheme ?? "")://...@\(url.host() ?? "") has some"
    case .session:
      "the session token is empty or holds more than visible ASCII characters"
    }
  }
}
