@testable import TrackingSockets

extension LoopbackAddress.Family {
  /// The families that this machine has, the preferred one first: many containers have no IPv6.
  static let available = [LoopbackAddress.Family.ipv6, .ipv4].filter { family in
    guard let socket = try? Socket.listening(on: LoopbackAddress(family, port: 0)) else { return false }
    socket.close()
    return true
  }

  /// The family of the address that is handed over on this machine.
  static var preferred: LoopbackAddress.Family { available.first ?? .ipv4 }
}
