import Foundation
import TrackingModel
import TrackingSockets

/// The way to an endpoint: its addresses, and the parts of each request that depend on it.
struct DeliveryRoute: Equatable, Sendable {
  /// In the order in which to try them.
  let addresses: [SocketAddress]
  /// `[::1]:50123`.
  let host: String
  let target: String
  /// The hello's target, `/tracking-session`; `nil` if the endpoint isn't the launch's, or has no session.
  let hello: String?
  let session: String?
  private let url: String

  /// `isPassed` says whether the launch named the endpoint.
  init(to endpoint: TrackingEndpoint, isPassed: Bool = false) throws(EndpointProblem) {
    let url = endpoint.url
    self.url = url.absoluteString
    guard url.scheme?.lowercased() == "http" else { throw .scheme(url) }
    guard url.user() == nil, url.password() == nil else { throw .credentials(url) }
    guard let port = UInt16(exactly: url.port ?? 80), port > 0 else { throw .port(url) }
    let path = url.path(percentEncoded: true)
    addresses = SocketAddress.named(url.host() ?? "", port: port)
    guard let address = addresses.first else { throw .host(url) }
    let authority = addresses.count > 1 ? "localhost:\(port)" : "\(address)"
    host = url.port == nil ? String(authority.dropLast(":\(port)".count)) : authority

    target = (path.isEmpty ? "/" : path) + (url.query(percentEncoded: true).map { "?\($0)" } ?? "")

    session = endpoint.session
    hello = isPassed && session != nil ? "\(WirePath.session)" : nil
    // As the value of a header field it must not contain anything that ends the field.
    guard session?.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) != false, session != "" else { throw .session }
  }
}

extension DeliveryRoute: CustomStringConvertible {
  var description: String { url }
}

enum EndpointProblem: Error, Equatable {
  /// The process has no endpoint, but must not use the provider either.
  case refused(String)
  case passed(String?)
  case misspelt(argument: String)
  case scheme(URL)
  case host(URL)
  case port(URL)
  case credentials(URL)
  case session
}

extension EndpointProblem: CustomStringConvertible {
  var description: String {
    switch self {
    case .refused(let reason):
      reason
    case .passed(nil):
      "\(LaunchVariable.session.name) was passed without \(LaunchVariable.url.name)"
    case .passed(let text?):
      "\(LaunchVariable.url.name) isn't an http URL with a host: \"\(text)\""
    case .misspelt(let argument):
      """
      the launch argument "\(argument)" isn't read; write -\(LaunchVariable.url.name) and its value, or \
      \(LaunchVariable.url.name)=value, and \(LaunchVariable.session.name) likewise
      """
    case .scheme(let url):
      "events can be sent only over http, not to \(url.absoluteString)"
    case .host(let url):
      "events can be sent only to this machine (::1, 127.0.0.1 or localhost), not to \(url.absoluteString)"
    case .port(let url):
      "\(url.absoluteString) has an invalid port"
    case .credentials(let url):
      "credentials can't be sent, but \(url.scheme ?? "")://...@\(url.host() ?? "") has some"
    case .session:
      "the session token is empty or has characters other than visible ASCII"
    }
  }
}
