import Foundation
import TrackingServer
import TrackingSockets

/// Sends requests to backends on this machine over plain sockets.
///
/// Foundation's URL loading on Linux crashes at a response with trailers, loses the bodies of redirects, refuses fields in Latin-1 and a status
/// without a reason, and sends loopback requests to the proxy that `http_proxy` names.
struct LoopbackClient: Sendable {
  let mostBytes: Int
  let timeout: TimeInterval

  /// For a backend at `http://localhost`, `127.0.0.1` or `[::1]`; empty for any other.
  static func addresses(of origin: String) -> [SocketAddress] {
    guard let url = URLComponents(string: origin), url.scheme == "http", let host = url.host,
      let port = UInt16(exactly: url.port ?? 80)
    else { return [] }
    return SocketAddress.named(host, port: port)
  }

  /// Uses a separate thread, because sending and receiving block.
  func send(
    _ request: [UInt8], method: String, to addresses: [SocketAddress]
  ) async throws(UpstreamFailure) -> UpstreamResponse {
    let isCancelled = Locked(false)
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        Thread.detachNewThread {
          let result = Result { () throws(UpstreamFailure) in
            try exchange(request, method, addresses) { isCancelled.withLock { $0 } }
          }
          continuation.resume(returning: result)
        }
      }
    } onCancel: {
      isCancelled.withLock { $0 = true }
    }
    return try result.get()
  }

  private func exchange(
    _ request: [UInt8], _ method: String, _ addresses: [SocketAddress], _ isCancelled: () -> Bool
  ) throws(UpstreamFailure) -> UpstreamResponse {
    guard !isCancelled() else { throw .cancelled }
    let connection = HTTPConnection(to: addresses)
    var response = BackendResponse(isHead: method == "HEAD", mostBytes: mostBytes)
    // Restarted by each byte, like a timeout of URL loading.
    var deadline = ContinuousClock.now + .clamping(seconds: timeout)
    do throws(ExchangeError) {
      try connection.begin(request, until: deadline)
    } catch {
      throw .init(reason: "it can't be reached; is it running?", isOutage: true)
    }
    while true {
      guard !isCancelled() else { throw .cancelled }
      let isOpen: Bool
      do throws(ExchangeError) {
        // Short waits, because nothing wakes the thread when the task is cancelled.
        isOpen = try connection.receive(until: min(deadline, .now + .milliseconds(50)))
      } catch {
        guard error == .timedOut else { throw .brokenOff }
        guard ContinuousClock.now < deadline else {
          throw .init(reason: "it didn't respond in time", isOutage: true)
        }
        continue
      }
      deadline = .now + .clamping(seconds: timeout)
      if let whole = try response.read(&connection.reader, isAtEnd: !isOpen) { return whole }
    }
  }
}
