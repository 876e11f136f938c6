import Foundation

/// A kept-alive HTTP/1.1 connection, reopened when needed.
///
/// Not thread-safe: one exchange at a time.
package final class HTTPConnection {
  private let addresses: [SocketAddress]
  private var socket: Socket?
  private var space = [UInt8](repeating: 0, count: 16_384)
  private var unsent: ArraySlice<UInt8> = []
  private var takesMore = true
  package var reader = ResponseReader()

  /// Tries the addresses in order.
  package init(to addresses: [SocketAddress]) {
    self.addresses = addresses
  }

  deinit {
    close()
  }

  package func close() {
    socket?.close()
    socket = nil
  }

  /// Sends a request and receives its response.
  ///
  /// Closes the connection after an error, and if the response makes it unusable. A response whose body exceeds `bodyLimit`, in bytes, is returned
  /// without it.
  package func exchange(
    _ request: [UInt8], until deadline: ContinuousClock.Instant, bodyLimit: Int = 65_536
  ) throws(ExchangeError) -> ReceivedResponse {
    try begin(request, until: deadline)
    reader = ResponseReader(bodyLimit: bodyLimit)
    var isReusable = false
    defer { if !isReusable { close() } }
    while true {
      guard try receive(until: deadline) else { throw .closed }
      do throws(ResponseError) {
        guard let response = try reader.response() else { continue }
        isReusable = response.keepsConnection && unsent.isEmpty
        return response
      } catch {
        throw .notAResponse(error)
      }
    }
  }

  package func begin(_ request: [UInt8], until deadline: ContinuousClock.Instant) throws(ExchangeError) {
    try open(until: deadline)
    (unsent, takesMore) = (request[...], true)
    reader = ResponseReader()
  }

  /// Sends what is left of the request, and receives bytes into the reader; returns `false` at the end of the connection.
  ///
  /// Throws `timedOut` at the deadline, after which it may be called again.
  package func receive(until deadline: ContinuousClock.Instant) throws(ExchangeError) -> Bool {
    guard let socket else { return false }
    while true {
      if takesMore, !unsent.isEmpty {
        switch unsent.withUnsafeBytes(socket.send) {
        case .bytes(let count): unsent.removeFirst(count)
        case .wouldBlock: break
        // A server may respond and close before reading everything; the response can still be received.
        case .closed, .failed: takesMore = false
        }
      }
      switch space.withUnsafeMutableBytes(socket.receive) {
      case .bytes(let count):
        space.withUnsafeBytes { reader.append(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
        return true
      case .closed: return false
      case .failed(let number): throw .broken(.call("recv", errno: number))
      case .wouldBlock:
        let events = takesMore && !unsent.isEmpty ? POLLIN | POLLOUT : POLLIN
        guard socket.wait(for: Int32(events), until: deadline) else { throw .timedOut }
      }
    }
  }

  private func open(until deadline: ContinuousClock.Instant) throws(ExchangeError) {
    if let socket {
      // Between two requests only the end of the connection can arrive, or bytes that aren't our response.
      if space.withUnsafeMutableBytes(socket.receive) == .wouldBlock { return }
      close()
    }
    var failures: [SocketError] = []
    for address in addresses {
      do throws(SocketError) {
        socket = try Socket.connected(to: address, until: deadline)
        return
      } catch {
        failures.append(error)
      }
    }
    throw .unreachable(failures)
  }
}

package enum ExchangeError: Error, Equatable {
  case unreachable([SocketError])
  case timedOut
  case closed
  case broken(SocketError)
  case notAResponse(ResponseError)
}

extension ExchangeError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .unreachable(let failures): failures.map(\.description).joined(separator: "; ")
    case .timedOut: "no response arrived in time"
    case .closed: "the connection was closed before a response arrived"
    case .broken(let failure): "the connection broke before a response arrived: \(failure)"
    case .notAResponse(let error): "\(error)"
    }
  }
}
