import Foundation
import TrackingJSON
import TrackingModel
import TrackingPlan
import TrackingSockets

extension Verb {
  static let wait = Verb(
    name: "wait",
    abstract: "Waits until a running `serve` has received an event or a request.",
    usage: ["<entry> [<options>]"],
    discussion: """
      An entry is an event's name with params, or a method with a path and the status of its answer. Values are JSON; \
      everything else is a string. Exit status 1: it hasn't arrived, and standard error says what has.
      """,
    examples: [
      "tracking wait 'purchase total=120 currency=EUR' --timeout 10", "tracking wait 'POST /orders responded=201'",
    ],
    operands: .init(names: ["entry"], help: "The event or request."), options: [timeout, count, since, env, json]
  ) { arguments, output in
    var question = try CheckWords.call(arguments.operands[0])
    question["timeout"] = try arguments.number(timeout, "of seconds from 0 to 86400") { (0...86_400).contains($0) }
      .map(TrackingValue.double)
    question["count"] = try arguments.integer(count, in: 0 ... .max).map(TrackingValue.int)
    question["since"] = arguments[since].map(TrackingValue.string)
    return try ServedChecks(arguments, output).ask(.object(question))
  }

  private static let timeout = VerbOption.value("--timeout", "seconds", "Seconds to wait; 5 by default.")
  private static let count = VerbOption.value("--count", "n", "How often it should arrive: no less, no more.")
  private static let since = VerbOption.value("--since", "mark", "The mark after which it should arrive.")
  fileprivate static let env = VerbOption.value(
    "--env", "file", "The file that `serve --write-env` wrote; by default, TRACKING_SERVE has the URL.")

  static let ask = Verb(
    name: "ask",
    abstract: "Asks a running `serve` a question in JSON: a count, an order, an absence, duplicates, the plan.",
    usage: ["<file> [--env <file>] [--json]"],
    discussion: "Exit status 1: the answer is no, and standard error says why.",
    examples: ["tracking ask question.json", "echo '{\"noDuplicates\": {\"within\": 1}}' | tracking ask -"],
    operands: .init(names: ["file"], help: "A file with the question; - is standard input."), options: [env, json]
  ) { arguments, output in
    let file = arguments.operands[0]
    let data: Data
    do {
      data =
        file == "-" ? FileHandle.standardInput.readDataToEndOfFile() : try Data(contentsOf: URL(fileURLWithPath: file))
    } catch {
      throw Refusal("\(file): \(error.fileReason)")
    }
    let question = try JSONNode(data, file: file == "-" ? "standard input" : file).value
    return try ServedChecks(arguments, output).ask(question)
  }

  static let mark = Verb(
    name: "mark",
    abstract: "Prints a mark: a later question with --since looks only at what arrives after it.",
    usage: ["[--as-default] [--env <file>] [--json]"],
    examples: ["tracking wait purchase --since $(tracking mark)", "tracking mark --as-default"],
    options: [asDefault, env, json]
  ) { arguments, output in
    let body = arguments.has(asDefault) ? #"{"asDefault": true}"# : ""
    let answer = try ServedChecks(arguments, output).send("POST", "marks", body)
    if !arguments.has(json), let mark = answer["mark"]?.string { try output.line(mark) }
    return .success
  }

  private static let asDefault = VerbOption.flag(
    "--as-default", "Makes it the beginning for later questions without --since, and for the list of events.")

  static let finish = Verb(
    name: "finish",
    abstract: "Ends a test on a running `serve`: lost events, the plan, requests without a stub, late answers.",
    usage: ["[--env <file>] [--json]"],
    discussion: "Exit status 1: there are failures, and standard error lists them.",
    examples: ["tracking finish --env serve.env"],
    options: [env, json]
  ) { arguments, output in
    let failures = try ServedChecks(arguments, output).send("POST", "finish")["failures"]?.elements ?? []
    let messages = failures.compactMap { $0["message"]?.string }
    guard !messages.isEmpty else { return .success }
    output.say(lines: messages.joined(separator: "\n\n"))
    return .findings
  }
}

/// A running `tracking serve`, which answers questions.
private struct ServedChecks {
  private let url: String
  private let token: String
  private let host: String
  private let port: UInt16
  private let isJSON: Bool
  private let output: Output

  /// - Throws: ``Refusal`` if the URL isn't that of `tracking serve`.
  init(_ arguments: Arguments, _ output: Output) throws {
    isJSON = arguments.has(Verb.json)
    self.output = output
    let address = try Self.address(arguments).components(separatedBy: "#token=")
    guard address.count == 2, let url = URL(string: address[0]), let host = url.host(),
      address[0].hasSuffix(CheckService.path)
    else {
      throw Refusal("\(address.joined()) isn't the URL of `tracking serve`: it ends with #token=…")
    }
    (self.url, token, self.host, port) = (address[0], address[1], host, UInt16(clamping: url.port ?? 80))
  }

  private static func address(_ arguments: Arguments) throws -> String {
    if let file = arguments[Verb.env] { return try ServedEnvironment.checks(in: file) }
    guard let address = TestVariable.serve.value() else {
      throw Refusal(
        "name the URL that `tracking serve` prints in the variable \(TestVariable.serve.name), or its file with --env")
    }
    return address
  }

  /// Sends a request, and returns the members of the answer.
  ///
  /// - Throws: ``Refusal`` if nothing answers, or if the status isn't 200.
  func send(_ method: String, _ name: String, _ body: String = "") throws -> JSONTree {
    // The variable of this process, which `serve` may have been started without.
    let scale = TimeoutScale.factor == 1 ? [] : ["\(CheckService.scaleField): \(TimeoutScale.factor)"]
    let head =
      [
        "\(method) \(CheckService.path)\(name) HTTP/1.1", "Host: \(host):\(port)", "Authorization: Bearer \(token)",
        "Content-Length: \(body.utf8.count)", "Connection: close",
      ] + scale + ["", ""]
    let answer: ReceivedResponse
    do {
      answer = try exchange(Array((head.joined(separator: "\r\n") + body).utf8))
    } catch {
      throw Refusal("nothing answers at \(url)\(name): \(error); does `tracking serve` still run?")
    }
    guard let value = try? JSONTree(answer.body), answer.status == 200 || value["error"] != nil else {
      throw Refusal("\(url)\(name) answered \(answer.status), and not as `tracking serve` does")
    }
    if let error = value["error"]?.string { throw Refusal(error) }
    if isJSON { try output.text(String(decoding: answer.body, as: UTF8.self) + "\n") }
    return value
  }

  /// The server knows when to answer, so the connection waits for longer than the longest question.
  private func exchange(_ request: [UInt8]) throws(ExchangeError) -> ReceivedResponse {
    let connection = HTTPConnection(to: SocketAddress.named(host, port: port))
    let deadline = ContinuousClock.now + .seconds(10_000_000)
    try connection.begin(request, until: deadline)
    connection.reader = ResponseReader(bodyLimit: .max)
    while true {
      do throws(ResponseError) {
        if let answer = try connection.reader.response() { return answer }
      } catch {
        throw .notAResponse(error)
      }
      guard try connection.receive(until: deadline) else { throw .closed }
    }
  }

  /// Asks a question; a no is on standard error.
  func ask(_ question: TrackingValue) throws -> Status {
    let answer = try send("POST", "ask", JSONTree(of: question).text(.compact))
    if let warning = answer["warning"]?.string { output.say("warning: \(warning)") }
    guard answer["passed"]?.bool != true else { return .success }
    output.say(lines: answer["message"]?.string ?? "no")
    return .findings
  }
}
