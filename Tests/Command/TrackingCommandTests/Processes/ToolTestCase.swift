import TestAppLauncher
import TestSupport

/// Runs the command `tracking` as a process in a temporary folder, with its output in the files `out` and `err`.
class ToolTestCase: XCTestCase {
  private(set) var folder = URL(fileURLWithPath: "/")
  private var launched: [Process] = []

  override func setUpWithError() throws {
    folder = try temporaryFolder()
  }

  override func tearDownWithError() throws {
    for process in launched { end(process) }
  }

  func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

  func text(_ name: String) throws -> String { try String(contentsOfFile: path(name), encoding: .utf8) }

  func write(_ text: String, to name: String) throws {
    let url = folder.appendingPathComponent(name)
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: url)
  }

  func launch(
    _ program: URL, _ words: [String], _ environment: [String: String] = [:], output: FileHandle? = nil,
    error: FileHandle? = nil
  ) throws -> Process {
    let process = Process()
    process.executableURL = program
    process.arguments = words
    // As on a developer's machine, where recording is allowed.
    process.environment = ProcessInfo.processInfo.environment.filter { $0.key != "CI" }.merging(environment) { $1 }
    for (name, keyPath, handle) in [("out", \Process.standardOutput, output), ("err", \Process.standardError, error)] {
      try Data().write(to: folder.appendingPathComponent(name))
      process[keyPath: keyPath] = try handle ?? FileHandle(forWritingTo: folder.appendingPathComponent(name))
    }
    try process.run()
    launched.append(process)
    return process
  }

  func tracking(
    _ words: [String], _ environment: [String: String] = [:], output: FileHandle? = nil, error: FileHandle? = nil
  ) throws -> Process {
    try launch(TestApp("tracking").executable, words, environment, output: output, error: error)
  }

  /// Runs `tracking` to its end and returns the exit status.
  func run(_ words: String..., environment: [String: String] = [:]) throws -> Int32 {
    let process = try tracking(words, environment)
    finish(process)
    return process.terminationStatus
  }

  /// Runs `tracking` and returns its exit status and what it wrote, without the folder's name.
  func result(_ words: String...) throws -> (status: Int32, out: String, err: String) {
    let process = try tracking(words)
    finish(process)
    return (
      process.terminationStatus, try text("out").replacing(folder.path + "/", with: ""),
      try text("err").replacing(folder.path + "/", with: "")
    )
  }

  /// Runs calls of `tracking` at the same time, and returns their results in order.
  func results(
    of calls: [[String]], _ environment: [String: String] = [:]
  ) throws -> [(status: Int32, out: String, err: String)] {
    let processes = try calls.enumerated().map { number, words in
      let files = try ["out", "err"].map { name in
        try write("", to: "\(name)-\(number)")
        return try FileHandle(forWritingTo: folder.appendingPathComponent("\(name)-\(number)"))
      }
      return try tracking(words, environment, output: files[0], error: files[1])
    }
    return try processes.enumerated().map { number, process in
      finish(process)
      return (
        process.terminationStatus, try text("out-\(number)").replacing(folder.path + "/", with: ""),
        try text("err-\(number)").replacing(folder.path + "/", with: "")
      )
    }
  }

  /// Waits until a condition holds.
  func wait(for subject: String, until condition: () throws -> Bool) throws {
    let deadline = Date(timeIntervalSinceNow: 30)
    while !(try condition()) {
      guard Date.now < deadline else { throw Missing(line: subject, found: "") }
      Thread.sleep(forTimeInterval: 0.002)
    }
  }

  /// Waits until a process has ended; one that doesn't fails the test and not the whole run.
  func finish(_ process: Process, line: UInt = #line) {
    waitForEnd(of: process)
    guard process.isRunning else { return process.waitUntilExit() }
    XCTFail("the process still runs after 60 s", line: line)
    end(process)
  }

  /// By the one signal that can't be blocked: a process begins with the blocked signals of the thread that launched it.
  func end(_ process: Process) {
    guard process.isRunning else { return }
    // With the commands that it has started, which are in its process group on Linux: Foundation waits for their ends, too.
    if kill(-process.processIdentifier, SIGKILL) != 0 { kill(process.processIdentifier, SIGKILL) }
    waitForEnd(of: process)
    process.waitUntilExit()
  }

  /// `waitUntilExit()` looks every 50 ms on a thread that didn't launch the process.
  private func waitForEnd(of process: Process) {
    let deadline = Date(timeIntervalSinceNow: 60)
    while process.isRunning, Date.now < deadline { Thread.sleep(forTimeInterval: 0.001) }
  }

  /// Ends the command as Ctrl-C does, and returns its status.
  func stop(_ process: Process) -> Int32 {
    kill(process.processIdentifier, SIGINT)
    finish(process)
    return process.terminationStatus
  }

  /// Starts a backend.
  func backend() throws -> (url: String, process: Process) {
    let program = """
      import http.server, json
      class Handler(http.server.BaseHTTPRequestHandler):
          def log_message(self, *arguments): pass
          def do_GET(self):
              if self.path == "/large":
                  body = json.dumps([{"token": "abc%dDEFGH" % number} for number in range(6000)]).encode()
              else:
                  body = json.dumps({"books": [{"id": 42, "price": 9.5}], "token": "backend-token-1"}).encode()
              self.send_response(200)
              self.send_header("Content-Type", "application/json")
              if self.path == "/session":
                  self.send_header("Set-Cookie", "__Host-sid=s-1; Path=/; Secure")
              self.send_header("Content-Length", str(len(body)))
              self.end_headers()
              self.wfile.write(body)
      server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
      print(server.server_address[1], flush=True)
      server.serve_forever()
      """
    let process = try launch(try Tool.python().executable, Tool.pythonArguments + ["-c", program])
    return ("http://127.0.0.1:\(try line(in: "out", after: ""))", process)
  }

  /// Records one exchange with a backend in the folder `checkout`.
  func recordBooks() async throws {
    let backend = try backend()
    let recorder = try tracking(["record", backend.url, path("checkout"), "--json"])
    _ = try await get("\(try XCTUnwrap(started().url))/books?page=1")
    XCTAssertEqual(stop(recorder), 0)
    end(backend.process)
  }

  /// Records a request in a folder and ends the recorder, which then takes some seconds to save: the response has 4,000 secrets.
  func savingRecorder(_ backend: String, in folder: String, error: FileHandle? = nil) async throws -> Process {
    let output = "\(folder).out"
    try write("", to: output)
    let recorder = try tracking(
      ["record", backend, path(folder), "--json"], ["TERM": "xterm"],
      output: FileHandle(forWritingTo: self.folder.appendingPathComponent(output)), error: error)
    let url = try XCTUnwrap(started(in: output).url)
    _ = try await get("\(url)/large")
    kill(recorder.processIdentifier, SIGINT)
    // The server has stopped before the recording is saved.
    while (try? await get(url)) != nil {}
    return recorder
  }

  /// A program of this machine.
  static func program(_ name: String) throws -> URL {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    let programs = folders.map { URL(fileURLWithPath: "\($0)/\(name)") }
    guard let program = programs.first(where: { FileManager.default.isExecutableFile(atPath: $0.path) }) else {
      throw XCTSkip("\(name) is not installed on this machine")
    }
    return program
  }

  func get(_ url: String) async throws -> (status: Int?, body: String) {
    let (data, response) = try await URLSession.shared.data(from: try XCTUnwrap(URL(string: url)))
    return ((response as? HTTPURLResponse)?.statusCode, String(decoding: data, as: UTF8.self))
  }

  func post(_ body: String, to url: String, _ fields: [String: String] = [:]) async throws -> Int? {
    // `URLSession` on Linux takes no IPv6 address in a URL.
    let url = url.replacingOccurrences(of: "[::1]", with: "localhost")
    var request = URLRequest(url: try XCTUnwrap(URL(string: url)))
    request.httpMethod = "POST"
    request.httpBody = Data(body.utf8)
    request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    for (name, value) in fields { request.setValue(value, forHTTPHeaderField: name) }
    return (try await URLSession.shared.data(for: request).1 as? HTTPURLResponse)?.statusCode
  }

  /// The first line of a command with `--json` that runs until it is told to stop.
  struct Started: Decodable {
    let kind: String
    let environment: [String: String]?
    let urls: [String: String]?
    let inspector: String?
    let url: String?
  }

  func started(in name: String = "out") throws -> Started {
    let line = try line(in: name, after: "{")
    return try JSONDecoder().decode(Started.self, from: Data("{\(line)".utf8))
  }

  /// Waits for a line with a prefix in a file, and returns the rest of the line.
  func line(in name: String, after prefix: String) throws -> String {
    let deadline = Date(timeIntervalSinceNow: 30)
    while true {
      for line in try text(name).split(separator: "\n") where line.hasPrefix(prefix) {
        return String(line.dropFirst(prefix.count))
      }
      guard Date.now < deadline else { throw Missing(line: prefix, found: try text(name)) }
      Thread.sleep(forTimeInterval: 0.002)
    }
  }

  struct Missing: Error {
    let line: String
    let found: String
  }
}
