import Foundation
import TrackingSockets

/// A kept-alive connection to an endpoint, opened again when it is needed and closed.
///
/// Used by the delivery thread only.
final class Connection {
  private let addresses: [SocketAddress]
  private var socket: Socket?
  private var space = [UInt8](repeating: 0, count: 16_384)

  /// - Parameter addresses: In the order in which to try them.
  init(to addresses: [SocketAddress]) {
    self.addresses = addresses
  }

  deinit {
    close()
  }

  func close() {
    socket?.close()
    socket = nil
  }

  /// Sends a request and receives its answer.
  ///
  /// The connection is closed after an error, and if it can't be used again after the answer.
  func exchange(_ request: [UInt8], until deadline: ContinuousClock.Instant) throws(ExchangeError) -> Answer {
    let socket = try open(until: deadline)
    var isReusable = false
    defer { if !isReusable { close() } }

    var unsent = request[...]
    var reader = AnswerReader()
    var takesMore = true
    while true {
      if takesMore, !unsent.isEmpty {
        switch unsent.withUnsafeBytes(socket.send) {
        case .bytes(let count): unsent.removeFirst(count)
        case .wouldBlock: break
        // A server may answer and close before it has read everything. The answer can still be received.
        case .closed, .failed: takesMore = false
        }
      }
      guard try receive(from: socket, into: &reader) else {
        let events = takesMore && !unsent.isEmpty ? POLLIN | POLLOUT : POLLIN
        guard socket.wait(for: Int32(events), until: deadline) else { throw .timedOut }
        continue
      }
      do throws(AnswerError) {
        guard let answer = try reader.next() else { continue }
        isReusable = answer.keepsConnection && unsent.isEmpty
        return answer
      } catch {
        throw .notAnAnswer(error)
      }
    }
  }

  private func open(until deadline: ContinuousClock.Instant) throws(ExchangeError) -> Socket {
    if let socket {
      // Between two requests there is nothing to receive except the end of the connection, or something that isn't our answer.
      if space.withUnsafeMutableBytes(socket.receive) == .wouldBlock { return socket }
      close()
    }
    var failures: [SocketError] = []
    for address in addresses {
      do throws(SocketError) {
        let socket = try Socket.connected(to: address, until: deadline)
        self.socket = socket
        return socket
      } catch {
        failures.append(error)
      }
    }
    throw .unreachable(failures)
  }

  /// - Returns: `false` when nothing has arrived yet.
  private func receive(from socket: Socket, into reader: inout AnswerReader) throws(ExchangeError) -> Bool {
    switch space.withUnsafeMutableBytes(socket.receive) {
    case .bytes(let count):
      space.withUnsafeBytes { reader.append(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
      return true
    case .wouldBlock: return false
    case .closed: throw .closed
    case .failed(let number): throw .broken(.call("recv", errno: number))
    }
  }
}

/// The reason why a request got no answer.
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
    case .timedOut: "no answer arrived in time"
    case .closed: "the connection was closed before an answer arrived"
    case .broken(let failure): "the connection broke before an answer arrived: \(failure)"
    case .notAnAnswer(let error): "\(error)"
    }
  }
}
