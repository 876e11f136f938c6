import TestSupport
import TrackingSockets

/// Sends a request as it is written, in the pieces that a test names, over one connection.
struct WireClient {
  struct Response: Equatable {
    let status: Int
    let body: String
  }

  struct NoResponse: Error {}

  let server: URL

  /// Posts JSON.
  func post(_ path: String, _ body: String, type: String = "application/json", headers: [String] = []) throws
    -> Response
  {
    try send([Self.post(path, Array(body.utf8), type: type, headers: headers)])
  }

  func get(_ target: String) throws -> Response {
    try send([Array("GET \(target) HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".utf8)])
  }

  static func post(
    _ path: String, _ body: [UInt8], type: String = "application/json", headers: [String] = []
  ) -> [UInt8] {
    let fields = ["Host: 127.0.0.1", "Content-Type: \(type)", "Content-Length: \(body.count)"] + headers
    return Array("POST \(path) HTTP/1.1\r\n\(fields.map { $0 + "\r\n" }.joined())\r\n".utf8) + body
  }

  /// The same request with its body in chunks of a few bytes (RFC 9112 7.1).
  static func chunked(_ path: String, _ body: [UInt8], headers: [String] = []) -> [UInt8] {
    let fields = ["Host: 127.0.0.1", "Content-Type: application/json", "Transfer-Encoding: chunked"] + headers
    var bytes = Array("POST \(path) HTTP/1.1\r\n\(fields.map { $0 + "\r\n" }.joined())\r\n".utf8)
    for start in stride(from: 0, to: body.count, by: 7) {
      let piece = body[start..<min(start + 7, body.count)]
      bytes += Array("\(String(piece.count, radix: 16))\r\n".utf8) + piece + Array("\r\n".utf8)
    }
    return bytes + Array("0\r\n\r\n".utf8)
  }

  /// Sends pieces one after the other and reads the response.
  ///
  /// - Throws: `NoResponse` when the connection ends without one.
  func send(_ pieces: [[UInt8]]) throws -> Response {
    let socket = try Socket.connecting(to: SocketAddress(.ipv4, port: UInt16(server.port ?? 0)))
    defer { socket.close() }
    let deadline = ContinuousClock.now + .seconds(30)
    _ = socket.wait(for: Int32(POLLOUT), until: deadline)
    for piece in pieces {
      var sent = 0
      while sent < piece.count {
        switch piece.withUnsafeBytes({ socket.send(UnsafeRawBufferPointer(rebasing: $0[sent...])) }) {
        case .bytes(let count): sent += count
        case .wouldBlock: guard socket.wait(for: Int32(POLLOUT), until: deadline) else { throw NoResponse() }
        case .closed, .failed: throw NoResponse()
        }
      }
    }
    var received: [UInt8] = []
    while true {
      if let response = Self.response(in: received) { return response }
      guard socket.wait(for: Int32(POLLIN), until: deadline) else { throw NoResponse() }
      var space = [UInt8](repeating: 0, count: 65_536)
      switch space.withUnsafeMutableBytes({ socket.receive(into: $0) }) {
      case .bytes(let count): received += space.prefix(count)
      case .wouldBlock: continue
      case .closed, .failed: throw NoResponse()
      }
    }
  }

  private static func response(in bytes: [UInt8]) -> Response? {
    guard let end = Data(bytes).range(of: Data("\r\n\r\n".utf8)) else { return nil }
    let head = String(decoding: bytes[..<end.lowerBound], as: UTF8.self)
    let length =
      head.lowercased().split(separator: "\r\n").first { $0.hasPrefix("content-length:") }
      .flatMap { Int($0.dropFirst(15).trimmingCharacters(in: .whitespaces)) } ?? 0
    guard bytes.count >= end.upperBound + length else { return nil }
    let status = head.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    return Response(
      status: status, body: String(decoding: bytes[end.upperBound..<end.upperBound + length], as: UTF8.self))
  }

  /// A body as `gzip` compresses it; skips the test where there is no gzip.
  static func gzipped(_ body: [UInt8]) throws -> [UInt8] {
    let tool = try Tool("gzip")
    let (input, output) = (Pipe(), Pipe())
    let process = Process()
    process.executableURL = tool.executable
    process.arguments = ["-c"]
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    try input.fileHandleForWriting.write(contentsOf: Data(body))
    try input.fileHandleForWriting.close()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return Array(data)
  }
}
