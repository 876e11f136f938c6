import Foundation

/// A failed system call on a socket, with its error number and the address.
package enum SocketError: Error, Equatable, Sendable {
  case call(String, errno: Int32, address: String? = nil)

  package var errno: Int32 {
    switch self {
    case .call(_, let errno, _): errno
    }
  }
}

extension SocketError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .call(let call, let errno, let address):
      "\(call)\(address.map { " on \($0)" } ?? "") failed: \(String(cString: strerror(errno))) (errno \(errno))"
    }
  }
}
