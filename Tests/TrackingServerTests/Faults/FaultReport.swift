import TestSupport

@testable import TrackingServer

/// The errors that curl and `URLSession` report for a fault.
struct FaultReport: Sendable {
  let fault: HTTPFault
  /// The exit code of curl and its message; `nil` when it saw nothing wrong.
  var curl: String?
  /// The code of the `URLError`; `nil` when there was none.
  var urlSession: String?

  /// Sends both clients' requests to a separate server, so that nothing is left over from another fault.
  static func make(_ fault: HTTPFault, curl: Tool) async throws -> FaultReport {
    let server = TrackingServer()
    try server.start()
    defer { server.stop() }
    if fault.position == .accept {
      server.stubs.inject(fault, times: nil, of: server.stubs.makeOwner())
    } else {
      try server.stub(StubEndpoint(.post, "/books", .text("0123456789").failing(fault)))
    }
    guard let port = server.endpoint?.url.port, let url = URL(string: "http://127.0.0.1:\(port)/books") else {
      throw URLError(.badURL)
    }
    async let byCurl = FaultReport.curl(curl.executable, url)
    async let byURLSession = urlSession(url)
    return FaultReport(fault: fault, curl: try await byCurl, urlSession: await byURLSession)
  }

  private static func curl(_ executable: URL, _ url: URL) async throws -> String? {
    let process = Process()
    process.executableURL = executable
    process.arguments = ["--silent", "--show-error", "--max-time", "1", "--data", "0123456789", url.absoluteString]
    let messages = Pipe()
    process.standardOutput = FileHandle.nullDevice
    process.standardError = messages
    try await withCheckedThrowingContinuation { (ended: CheckedContinuation<Void, any Error>) in
      process.terminationHandler = { _ in ended.resume() }
      do { try process.run() } catch { ended.resume(throwing: error) }
    }
    let message = String(decoding: messages.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    guard process.terminationStatus != 0 else { return nil }
    // Times and ports differ from run to run.
    return message.trimmingCharacters(in: .whitespacesAndNewlines)
      .replacing("curl: ", with: "")
      .replacing(/after \d+ milliseconds/, with: "after 1000 milliseconds")
      .replacing(/port \d+ after \d+ ms/, with: "port 8080 after 0 ms")
  }

  private static func urlSession(_ url: URL) async -> String? {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.timeoutIntervalForRequest = 1
    let session = URLSession(configuration: configuration)
    defer { session.invalidateAndCancel() }
    var request = URLRequest(url: url)
    request.httpMethod = "POST"
    request.httpBody = Data("0123456789".utf8)
    do {
      _ = try await session.data(for: request)
      return nil
    } catch let error as URLError {
      return names[error.code] ?? "\(error.code.rawValue)"
    } catch {
      return "\(error)"
    }
  }

  private static let names: [URLError.Code: String] = [
    .unknown: "unknown", .timedOut: "timedOut", .cannotConnectToHost: "cannotConnectToHost",
    .networkConnectionLost: "networkConnectionLost", .badServerResponse: "badServerResponse",
    .cannotParseResponse: "cannotParseResponse", .badURL: "badURL", .cancelled: "cancelled",
    .notConnectedToInternet: "notConnectedToInternet", .zeroByteResource: "zeroByteResource",
    .unsupportedURL: "unsupportedURL", .cannotFindHost: "cannotFindHost",
  ]
}
