import TestSupport
import TrackingServer
import VendorFormats

/// Requests that real SDKs sent, replayed: `TRACKING_CAPTURES` names a folder with `expected.json` and, for each SDK,
/// a folder of raw requests (`*.http`).
final class CaptureTests: XCTestCase {
  private struct Expected: Decodable {
    struct SDK: Decodable {
      struct Event: Decodable {
        let name: String
        let properties: TrackingValue
      }
      let vendor: String
      let events: [Event]
    }
    let sdks: [String: SDK]
  }

  func testEveryEventOfTheCapturesIsSeenHoweverItsBytesArrive() throws {
    guard let path = ProcessInfo.processInfo.environment["TRACKING_CAPTURES"] else {
      throw XCTSkip("no captures; TRACKING_CAPTURES names their folder")
    }
    let root = URL(filePath: path)
    let expected = try JSONDecoder().decode(
      Expected.self, from: Data(contentsOf: root.appending(path: "expected.json")))
    // Crash reporters have no format here.
    for (folder, sdk) in expected.sdks.sorted(by: { $0.key < $1.key }) where sdk.vendor != "Sentry" {
      let named = AcceptedFormat.allVendors.first { $0.name == sdk.vendor }
      let format = try XCTUnwrap(named, "no format is named \(sdk.vendor)")
      let files = try FileManager.default.contentsOfDirectory(atPath: root.appending(path: folder).path)
      let requests = try files.filter { $0.hasSuffix(".http") }.sorted()
        .map { Array(try Data(contentsOf: root.appending(path: "\(folder)/\($0)"))) }
      for (name, form) in try forms(of: requests) {
        try check(form, format, sdk, "\(folder), \(name)")
      }
    }
  }

  private func check(_ requests: [[[UInt8]]], _ format: AcceptedFormat, _ sdk: Expected.SDK, _ title: String) throws {
    let server = TrackingServer()
    try server.start()
    defer { server.stop() }
    try server.accept(format)
    let url = try XCTUnwrap(server.url(for: .segment))
    for request in requests {
      XCTAssertTrue((200..<300).contains(try WireClient(server: url).send(request).status), title)
    }
    let events = server.journal.events.map(\.event)
    XCTAssertEqual(events.map(\.name), sdk.events.map(\.name), title)
    for (event, expected) in zip(events, sdk.events) {
      guard case .object(let members) = expected.properties else { continue }
      for (key, value) in members { XCTAssertEqual(event.params[.custom(key: key)], value, "\(title): \(key)") }
    }
    XCTAssertEqual(server.journal.rejections.map(\.description), [], title)
  }

  /// The same requests whole, cut at each byte, byte by byte, in chunks, and compressed.
  private func forms(of requests: [[UInt8]]) throws -> [(String, [[[UInt8]]])] {
    var forms = [("whole", requests.map { [$0] }), ("byte by byte", requests.map { $0.map { [$0] } })]
    for (index, request) in requests.enumerated() {
      for place in 1..<request.count {
        var pieces = requests.map { [$0] }
        pieces[index] = [Array(request[..<place]), Array(request[place...])]
        forms.append(("request \(index + 1) cut at \(place)", pieces))
      }
    }
    forms.append(("in chunks", requests.map { [Self.rebuilt($0, isChunked: true)] }))
    forms.append(("compressed", try requests.map { [try Self.compressed($0, isChunked: false)] }))
    forms.append(("compressed in chunks", try requests.map { [try Self.compressed($0, isChunked: true)] }))
    return forms
  }

  private static func parts(_ request: [UInt8]) -> (lines: [String], body: [UInt8]) {
    guard let end = Data(request).range(of: Data("\r\n\r\n".utf8)) else { return ([], request) }
    let lines = String(decoding: request[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
    return (lines.filter { !$0.lowercased().hasPrefix("content-length") }, Array(request[end.upperBound...]))
  }

  private static func rebuilt(_ request: [UInt8], isChunked: Bool) -> [UInt8] {
    let (lines, body) = parts(request)
    return body.isEmpty ? request : joined(lines, body, isChunked: isChunked)
  }

  private static func compressed(_ request: [UInt8], isChunked: Bool) throws -> [UInt8] {
    let (lines, body) = parts(request)
    guard !body.isEmpty else { return request }
    return joined(lines + ["Content-Encoding: gzip"], try WireClient.gzipped(body), isChunked: isChunked)
  }

  private static func joined(_ lines: [String], _ body: [UInt8], isChunked: Bool) -> [UInt8] {
    let framing = isChunked ? "Transfer-Encoding: chunked" : "Content-Length: \(body.count)"
    let head = Array((lines + [framing, "", ""]).joined(separator: "\r\n").utf8)
    guard isChunked else { return head + body }
    var bytes = head
    for start in stride(from: 0, to: body.count, by: 11) {
      let piece = body[start..<min(start + 11, body.count)]
      bytes += Array("\(String(piece.count, radix: 16))\r\n".utf8) + piece + Array("\r\n".utf8)
    }
    return bytes + Array("0\r\n\r\n".utf8)
  }
}
