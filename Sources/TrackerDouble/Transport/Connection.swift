import Foundation
import TrackingSockets

/// One kept-alive connection to an endpoint, made anew whenever it is needed and not there.
///
/// Lives on the delivery thread alone.
final class Connection {
  private let addresses: [LoopbackAddress]
  private var socket: Socket?
  private var space = [UInt8](repeating: 0, count: 16_384)

  /// - Parameter addresses: In the order in which to try them.
  init(to addresses: [LoopbackAddress]) {
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
  /// The connection is closed after an error, and when the answer or the rest of the request makes it useless.
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
        // A server may answer and close before it has read all; what it said is still to be received.
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
      // Between two requests there is nothing to receive: if there is, it is the end of the connection, or no answer to us.
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
