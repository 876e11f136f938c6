import ArgumentParser
import Foundation
import RunnerQuestions
import TrackingModel
import TrackingPlanKit

/// The options of the verbs that ask a running `tracking serve`.
struct AskOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The file that `serve --write-url` wrote; by default, TRACKING_SERVE has the URL.", valueName: "file"))
  var url: String?

  @Flag(help: "Writes JSON: the whole answer.")
  var json = false

  /// The members of all answers that the verbs look at.
  struct Answer: Decodable {
    struct Failure: Decodable { let message: String }

    let passed: Bool?
    let message: String?
    let mark: String?
    let failures: [Failure]?
    let error: String?
  }

  /// Sends a request to the server.
  ///
  /// - Throws: A refusal if nothing answers, or if the status isn't 200.
  func send(_ method: String, _ name: String, _ body: Data? = nil) throws -> Answer {
    let address = try address().split(separator: "#token=", maxSplits: 1)
    guard address.count == 2, let url = URL(string: "\(address[0])\(name)") else {
      throw refusal("tracking: \(address.joined()) isn't the URL of `tracking serve`: it ends with #token=…")
    }
    var request = URLRequest(url: url)
    request.httpMethod = method
    request.httpBody = body
    request.setValue("Bearer \(address[1])", forHTTPHeaderField: "Authorization")
    // The server knows when to answer.
    request.timeoutInterval = 100_000
    let (data, status) = try URLSession.shared.answer(to: request, at: "\(url)")
    guard let answer = try? JSONDecoder().decode(Answer.self, from: data), status == 200 || answer.error != nil else {
      throw refusal("tracking: \(url) answered \(status), and not as `tracking serve` does")
    }
    if let error = answer.error { throw refusal("tracking: \(error)") }
    if json { Output.document("\(String(decoding: data, as: UTF8.self))\n") }
    return answer
  }

  private func address() throws -> String {
    if let url {
      do {
        return try String(contentsOfFile: url, encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines)
      } catch {
        throw refusal("tracking: --url \(url): \(CommandLineTool.fileReason(of: error))")
      }
    }
    guard let address = ProcessInfo.processInfo.environment["TRACKING_SERVE"], !address.isEmpty else {
      throw refusal("tracking: set TRACKING_SERVE to the URL that `tracking serve` prints, or give --url FILE")
    }
    return address
  }

  /// Asks a question; a no is on standard error and ends with status 1.
  func ask(_ question: TrackingValue) throws {
    let answer = try send("POST", "ask", try JSONEncoder().encode(question))
    guard answer.passed != true else { return }
    say(answer.message ?? "no")
    throw Status.findings
  }
}

struct Wait: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "wait",
    abstract: "Waits until a running `serve` has received an event or a request.",
    usage: "tracking wait <entry> [<options>]",
    discussion: """
      An entry is an event's name with params, or a method with a path and the status of its answer. Values are JSON; \
      everything else is a string. Exit status 1: it hasn't arrived, and standard error says what has.

      Examples:
        tracking wait 'purchase total=120 currency=EUR' --timeout 10
        tracking wait 'POST /orders answered=201'
      """)

  @Argument(help: "The event or request.")
  var entry: String

  @Option(help: ArgumentHelp("Seconds to wait; 5 by default.", valueName: "seconds"))
  var timeout: Double?

  @Option(help: ArgumentHelp("How often it should arrive: no less, no more.", valueName: "n"))
  var count: Int?

  @Option(help: ArgumentHelp("The mark after which it should arrive.", valueName: "mark"))
  var since: String?

  @OptionGroup var options: AskOptions

  func run() throws {
    var question = try refusing("wait") { try QuestionWords.question(entry) }
    question["timeout"] = timeout.map(TrackingValue.double)
    question["count"] = count.map(TrackingValue.int)
    question["since"] = since.map(TrackingValue.string)
    try options.ask(.object(question))
  }
}

struct Ask: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ask",
    abstract: "Asks a running `serve` a question in JSON: a count, an order, an absence, duplicates, the plan.",
    usage: "tracking ask <file> [--url <file>] [--json]",
    discussion: """
      Exit status 1: the answer is no, and standard error says why.

      Examples:
        tracking ask question.json
        echo '{"noDuplicates": {"within": 1}}' | tracking ask -
      """)

  @Argument(help: "A file with the question; - is standard input.", completion: .file(extensions: ["json"]))
  var file: String

  @OptionGroup var options: AskOptions

  func run() throws {
    do {
      let data =
        file == "-" ? FileHandle.standardInput.readDataToEndOfFile() : try Data(contentsOf: URL(fileURLWithPath: file))
      if let problem = CommandLineTool.problem(ofJSON: data, named: file == "-" ? "standard input" : file) {
        throw refusal("tracking ask: \(problem)")
      }
      try options.ask(try JSONDecoder().decode(TrackingValue.self, from: data))
    } catch let error as CocoaError {
      throw refusal("tracking ask: \(file): \(CommandLineTool.fileReason(of: error))")
    }
  }
}

struct MarkCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "mark",
    abstract: "Prints a mark: a later question with --since looks only at what arrives after it.",
    usage: "tracking mark [--url <file>] [--json]",
    discussion: "Example: tracking wait purchase --since $(tracking mark --url serve.url)")

  @OptionGroup var options: AskOptions

  func run() throws {
    let answer = try options.send("POST", "marks")
    if !options.json, let mark = answer.mark { Output.line(mark) }
  }
}

struct Finish: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "finish",
    abstract: "Ends a test on a running `serve`: lost events, the plan, requests without a stub, late answers.",
    usage: "tracking finish [--url <file>] [--json]",
    discussion: """
      Exit status 1: there are failures, and standard error lists them.

      Example: tracking finish --url serve.url
      """)

  @OptionGroup var options: AskOptions

  func run() throws {
    let messages = try options.send("POST", "finish").failures?.map(\.message) ?? []
    guard !messages.isEmpty else { return }
    say(messages.joined(separator: "\n\n"))
    throw Status.findings
  }
}

extension URLSession {
  /// The answer to a request, whose thread waits for it.
  fileprivate func answer(to request: URLRequest, at place: String) throws -> (data: Data, status: Int) {
    let done = DispatchSemaphore(value: 0)
    nonisolated(unsafe) var result: (Data?, URLResponse?, (any Error)?) = (nil, nil, nil)
    dataTask(with: request) {
      result = ($0, $1, $2)
      done.signal()
    }.resume()
    done.wait()
    guard let data = result.0, let response = result.1 as? HTTPURLResponse else {
      let reason = result.2.map { ": \($0.localizedDescription)" } ?? ""
      throw refusal("tracking: nothing answers at \(place)\(reason); does `tracking serve` still run?")
    }
    return (data, response.statusCode)
  }
}
