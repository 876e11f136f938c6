import Foundation
import TrackingModel
import TrackingSockets

/// The way to an endpoint: addresses of this machine, and what each request says of it.
struct DeliveryRoute: Hashable, Sendable {
  /// The addresses, in the order in which to try them.
  let addresses: [LoopbackAddress]
  /// The value of `Host`: `[::1]:50123`.
  let host: String
  /// The request target: `/`.
  let target: String
  let session: String?

  init(to endpoint: TrackingEndpoint) throws(EndpointProblem) {
    let url = endpoint.url
    guard url.scheme?.lowercased() == "http" else { throw .scheme(url) }
    guard url.user() == nil, url.password() == nil else { throw .credentials(url) }
    guard let port = UInt16(exactly: url.port ?? 80), port > 0 else { throw .port(url) }
    addresses = LoopbackAddress.named(url.host() ?? "", port: port)
    guard let address = addresses.first else { throw .host(url) }
    let name = addresses.count > 1 ? "localhost:\(port)" : "\(address)"
    host = url.port == nil ? String(name.dropLast(":\(port)".count)) : name

    let path = url.path(percentEncoded: true)
    target = (path.isEmpty ? "/" : path) + (url.query(percentEncoded: true).map { "?\($0)" } ?? "")

    session = endpoint.session
    // It stands in a header field as it is: anything that could end the field would let it say more.
    guard session?.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) != false, session != "" else { throw .session }
  }
}
