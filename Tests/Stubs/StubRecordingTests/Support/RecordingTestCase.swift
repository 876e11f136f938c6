@testable import StubRecording
import TestSupport
import TrackingJSON
import TrackingServer
import TrackingSockets
import TrackingVerifier

/// A folder for recordings, a backend of Python's standard library, and a client.
class RecordingTestCase: XCTestCase {
  /// A response as a client sees it, with `{base}` for the server's URL.
  struct Seen: Equatable {
    var status: Int
    var fields: [String: String]
    var body: String
  }

  private(set) var folder = URL(filePath: "/")

  override func setUpWithError() throws {
    folder = FileManager.default.temporaryDirectory.appending(
      path: "Recordings-\(UUID().uuidString)/Recordings/checkout", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(
      at: folder.deletingLastPathComponent(), withIntermediateDirectories: true)
    let parent = folder.deletingLastPathComponent().deletingLastPathComponent()
    addTeardownBlock { try? FileManager.default.removeItem(at: parent) }
  }

  /// Starts a backend with its own state.
  ///
  /// - Returns: Its URL, and a function that ends it.
  func backend() throws -> (url: URL, stop: () -> Void) {
    let backends = try Backends.shared.get()
    let port = try backends.open()
    let isOpen = Locked(true)
    @Sendable func stop() {
      let wasOpen = isOpen.withLock { isOpen in
        defer { isOpen = false }
        return isOpen
      }
      guard wasOpen else { return }
      // A handler that raises would otherwise look like a backend that responds badly.
      XCTAssertEqual(try backends.close(port), "")
    }
    addTeardownBlock { stop() }
    return (try XCTUnwrap(URL(string: "http://127.0.0.1:\(port)")), stop)
  }

  /// Starts a backend that is written in Python, in its own process.
  ///
  /// - Returns: Its URL, and a function that ends it.
  func backend(_ file: String, _ arguments: [String] = []) throws -> (url: URL, stop: () -> Void) {
    let (process, output, errors) = (try Process.python(file, arguments), Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    let running = RunningBackend(process, errors)
    addTeardownBlock { running.stop() }
    let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    let port = try XCTUnwrap(Int(line.trimmingCharacters(in: .newlines)), "the backend did not start")
    return (try XCTUnwrap(URL(string: "http://127.0.0.1:\(port)")), { running.stop() })
  }

  /// A source in a mode, whatever the environment of this test run says.
  func source(_ mode: String?, _ source: RecordingSource, ci: String? = nil) -> RecordingSource {
    var environment: [String: String] = [:]
    environment["TRACKING_RECORD"] = mode
    environment["CI"] = ci
    return RecordingSource { [environment] _, test in try source.open(environment, test) }
  }

  /// A verifier that has been started.
  func verifier(_ source: RecordingSource?, _ reporter: RecordingReporter = RecordingReporter()) -> TrackingVerifier {
    let verifier = TrackingVerifier(with: self, configuration: .init(recording: source, reporter: reporter))
    verifier.start()
    return verifier
  }

  /// Records a client's requests with a separate verifier.
  @discardableResult
  func recording(
    of upstream: URL, mode: String = "rewrite", redaction: SecretRedaction = SecretRedaction(), line: UInt = #line,
    _ send: (Client) async throws -> Void
  ) async throws -> RecordingReporter {
    let reporter = RecordingReporter()
    let verifier = verifier(
      source(mode, .folder(at: folder, upstreams: ["/*": upstream], redaction: redaction)), reporter)
    try await send(Client(verifier.baseURL))
    verifier.stop()
    XCTAssertEqual(reporter.sentences, [], line: line)
    return reporter
  }

  /// The files of the recording with their contents.
  func files() throws -> [String: Data] {
    let path = folder.path(percentEncoded: false)
    let names = try FileManager.default.subpathsOfDirectory(atPath: path)
    return try names.reduce(into: [:]) { files, name in
      var isFolder: ObjCBool = false
      guard FileManager.default.fileExists(atPath: "\(path)/\(name)", isDirectory: &isFolder), !isFolder.boolValue
      else { return }
      files[name] = try Data(contentsOf: folder.appending(path: name))
    }
  }

  func text(_ name: String) throws -> String {
    String(decoding: try XCTUnwrap(files()[name], "there is no \(name)"), as: UTF8.self)
  }
}

/// The process of the backends of all tests, since Python takes longer to start than most tests to run.
///
/// It ends with this one, whose end closes its standard input.
private final class Backends: @unchecked Sendable {
  static let shared = Result { try Backends() }
  private let (input, output) = (Pipe(), Pipe())

  private init() throws {
    let process = try Process.python("Backend.py")
    process.standardInput = input
    process.standardOutput = output
    try process.run()
  }

  /// Opens a backend, and returns its port.
  func open() throws -> Int { try JSONDecoder().decode(Int.self, from: response(to: "")) }

  /// Closes a backend and its connections, and returns the errors of its handlers.
  func close(_ port: Int) throws -> String { try JSONDecoder().decode(String.self, from: response(to: "\(port)")) }

  private func response(to line: String) throws -> Data {
    try input.fileHandleForWriting.write(contentsOf: Data("\(line)\n".utf8))
    var response = Data()
    while response.last != UInt8(ascii: "\n") {
      let data = output.fileHandleForReading.availableData
      guard !data.isEmpty else { throw CocoaError(.fileReadUnknown) }
      response += data
    }
    return response
  }
}

extension Process {
  /// A Python script beside this file.
  fileprivate static func python(_ file: String, _ arguments: [String] = []) throws -> Process {
    let process = Process()
    process.executableURL = try Tool.python().executable
    let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: file).path
    process.arguments = Tool.pythonArguments + [script] + arguments
    return process
  }
}

/// A backend's process, which the test and its end may stop; one after the other.
private final class RunningBackend: @unchecked Sendable {
  private let process: Process
  private let errors: Pipe

  init(_ process: Process, _ errors: Pipe) {
    (self.process, self.errors) = (process, errors)
  }

  func stop() {
    guard process.isRunning else { return }
    // The threads of asynchronous tests block signals, and their children inherit that.
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    // A handler that raises would otherwise look like a backend that responds badly.
    XCTAssertEqual(String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self), "")
  }
}

/// A client as apps have it: `URLSession` and a base URL, with its own cookies.
final class Client: Sendable {
  let base: URL
  private let session: URLSession

  init(_ base: URL) {
    self.base = base
    let configuration = URLSessionConfiguration.ephemeral
    configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
    session = URLSession(configuration: configuration)
  }

  deinit {
    session.invalidateAndCancel()
  }

  @discardableResult
  func send(
    _ method: String, _ target: String, _ body: String? = nil, _ headers: [String: String] = [:]
  ) async throws -> RecordingTestCase.Seen {
    var request = URLRequest(url: try XCTUnwrap(URL(string: "\(base)\(target)")))
    request.httpMethod = method
    request.httpBody = body.map { Data($0.utf8) }
    for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
    let (data, response) = try await session.data(for: request)
    let http = try XCTUnwrap(response as? HTTPURLResponse)
    var fields: [String: String] = [:]
    for (name, value) in http.allHeaderFields {
      // Between live and replayed responses, JSON is laid out another way, and the time is another.
      guard let name = name as? String, !["date", "content-length"].contains(name.lowercased()) else { continue }
      // Only kept where an app sends it again.
      if name.lowercased() == "etag", target != "/cached" { continue }
      fields[name] = "\(value)".replacing(base.absoluteString, with: "{base}")
    }
    let isJSON = fields["Content-Type"]?.contains("json") == true
    let compact = isJSON ? try? JSONTree(data, spelling: .written).text(.compact) : nil
    let bytes = compact.map { Data($0.utf8) } ?? data
    let text = String(data: bytes, encoding: .utf8) ?? bytes.base64EncodedString()
    return RecordingTestCase.Seen(
      status: http.statusCode, fields: fields, body: text.replacing(base.absoluteString, with: "{base}"))
  }

  @discardableResult
  func get(_ target: String, _ headers: [String: String] = [:]) async throws -> RecordingTestCase.Seen {
    try await send("GET", target, nil, headers)
  }
}
