import Foundation
import TrackingSockets

@testable import TrackingVerifier

extension TrackingVerifier {
  /// Whether a server accepts connections where the verifier has told apps to connect.
  var isReachable: Bool {
    guard let url = server.lastEndpoint?.url, let host = url.host, let port = url.port.flatMap(UInt16.init(exactly:)),
      let address = SocketAddress.named(host, port: port).first,
      let socket = try? Socket.connected(to: address, until: .now + .seconds(60))
    else { return false }
    socket.close()
    return true
  }
}
