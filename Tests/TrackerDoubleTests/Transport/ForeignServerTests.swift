import TestSupport

@testable import TrackerDouble

/// The double against a foreign server: Python's `http.server`, in its own process.
final class ForeignServerTests: DoubleTestCase {
  /// Starts a server with this handler body and waits until it prints the port that it listens on.
  private func server(_ python: Tool, _ handler: String) throws -> (port: UInt16, bodies: FileHandle) {
    let script = """
      import http.server, sys
      class Handler(http.server.BaseHTTPRequestHandler):
          # Fields and body are two packets, and the second would wait for 40 ms.
          disable_nagle_algorithm = True
          def read(self):
              body = self.rfile.read(int(self.headers['Content-Length'])).decode()
              print(self.headers['Tracking-Sequence'], body, flush=True)
          def log_message(self, *arguments): pass
      \(handler)
      class Server(http.server.ThreadingHTTPServer):
          def handle_error(self, request, address):
              # The double may close a connection at any time; every other error is one of the handler above.
              if not isinstance(sys.exc_info()[1], ConnectionError): super().handle_error(request, address)
      server = Server(('127.0.0.1', 0), Handler)
      print(server.server_address[1], flush=True)
      server.serve_forever()
      """
    let process = Process()
    process.executableURL = python.executable
    process.arguments = ["-c", script]
    let (output, errors) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    addTeardownBlock {
      process.terminate()
      process.waitUntilExit()
      // A handler that raises would otherwise look like a server that responds badly.
      let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      XCTAssertEqual(text, "")
    }
    let line = Self.lines(1, from: output.fileHandleForReading).first ?? ""
    return (try XCTUnwrap(UInt16(line), "the server did not start: \(line)"), output.fileHandleForReading)
  }

  private static func lines(_ count: Int, from handle: FileHandle) -> [String] {
    var data = Data()
    while data.filter({ $0 == 10 }).count < count {
      let more = handle.availableData
      if more.isEmpty { break }
      data += more
    }
    return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  private func tracker(port: UInt16, _ configure: (inout TrackerDouble.Configuration) -> Void) -> TrackerDouble {
    tracker(for: TrackingEndpoint(url: URL(string: "http://127.0.0.1:\(port)")!), configure)
  }

  private func expectDelivery(through handler: String, line: UInt = #line) throws {
    let server = try server(Tool.python(), handler)
    let tracker = tracker(port: server.port) { $0.batchLimit = 1 }
    tracker.track(1...20)
    XCTAssertTrue(tracker.flush(timeout: long), "\(failures.all)", line: line)
    XCTAssertEqual(
      Self.lines(20, from: server.bodies), (1...20).map { #"\#($0) {"name":"event \#($0)","params":{}}"# }, line: line)
  }

  func testAServerOfHTTP11ThatKeepsItsConnections() throws {
    try expectDelivery(
      through: """
            protocol_version = 'HTTP/1.1'
            def do_POST(self):
                self.read()
                self.send_response(204)
                self.end_headers()
        """)
  }

  func testAServerOfHTTP10ThatClosesAfterEachResponse() throws {
    try expectDelivery(
      through: """
            def do_POST(self):
                self.read()
                self.send_response(200)
                self.end_headers()
                self.wfile.write(b'thanks')
        """)
  }

  func testAServerThatRespondsInChunks() throws {
    try expectDelivery(
      through: """
            protocol_version = 'HTTP/1.1'
            def do_POST(self):
                self.read()
                self.send_response(200)
                self.send_header('Transfer-Encoding', 'chunked')
                self.end_headers()
                self.wfile.write(b'2\\r\\nok\\r\\n0\\r\\n\\r\\n')
        """)
  }

  func testAServerThatSendsInterimResponses() throws {
    try expectDelivery(
      through: """
            protocol_version = 'HTTP/1.1'
            def do_POST(self):
                self.read()
                self.send_response_only(100)
                self.end_headers()
                self.send_response(200)
                self.send_header('Content-Length', '2')
                self.end_headers()
                self.wfile.write(b'ok')
        """)
  }

  func testAServerWithoutPOSTIsNamedInTheReason() throws {
    let server = try server(Tool.python(), "")
    let tracker = tracker(port: server.port) { $0.deadline = 0.3 }
    tracker.track(1...1)
    XCTAssertFalse(tracker.flush(timeout: long))
    XCTAssertEqual(
      failures.all.map(\.reason),
      ["gave up at the deadline of 0.3 seconds: the server responded with 501 Unsupported method ('POST')"])
  }
}
