import ArgumentParser
import Foundation
import StubRecording

struct DriftCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "drift",
    abstract: "Says how a backend has changed since it was recorded.",
    discussion: """
      Sends the recorded GET and HEAD requests and compares status, media type and the shape of JSON, not the values: what is new is a note, what \
      is gone a warning, another type an error. The exit status is 1 when there is an error, a warning with --strict, or nothing to compare.

      Example: tracking drift Tests/Recordings/checkout --against https://staging.example
      """)

  @Argument(help: "The folder of the recording.", completion: .directory)
  var folder: String

  @Option(help: "The backend: scheme, host and port.")
  var against: String?

  @Option(help: "A header field that is sent in place of the recorded one: \"Authorization: Bearer …\".")
  var header: [String] = []

  @Flag(help: "Also sends requests that change something, in their order.")
  var unsafe = false

  @Option(help: "The greatest age of a recorded answer, such as 90d or 12h. Needs no network.")
  var maxAge: Age?

  @Flag(help: "Warnings are errors.")
  var strict = false

  @Flag(help: "Writes JSON.")
  var json = false

  struct Age: ExpressibleByArgument {
    let seconds: TimeInterval

    init?(argument: String) {
      let units: [Character: TimeInterval] = ["h": 3_600, "d": 86_400, "w": 604_800]
      guard let unit = argument.last.flatMap({ units[$0] }), let number = Double(argument.dropLast()), number >= 0,
        number.isFinite
      else { return nil }
      seconds = number * unit
    }
  }

  private struct Report: Encodable {
    let asked: Int
    let findings: [Drift.Finding]
    let skipped: [String]
  }

  func validate() throws {
    guard against != nil || maxAge != nil else { throw ValidationError("Give --against URL, --max-age, or both.") }
  }

  func run() async throws {
    let report: Report
    do {
      let recording = try Recording(contentsOf: URL(fileURLWithPath: folder, isDirectory: true))
      let old = maxAge.flatMap { Drift.age(of: recording, atMost: $0.seconds) }.map { [$0] } ?? []
      if let against {
        let drift = try await self.drift(of: recording, against: against)
        report = Report(asked: drift.asked, findings: old + drift.findings, skipped: drift.skipped)
      } else {
        report = Report(asked: 0, findings: old, skipped: [])
      }
    } catch let error as RecordingError {
      throw refusal("tracking drift: \(error)")
    }
    show(report)
    if against != nil, report.asked == 0 {
      say("tracking drift: nothing was compared, because no request could be sent")
      throw Status.findings
    }
    let limit = strict ? Drift.Severity.warning : .error
    if report.findings.contains(where: { $0.severity >= limit }) { throw Status.findings }
  }

  private func drift(of recording: Recording, against text: String) async throws -> Drift {
    guard let url = URL(string: text) else { throw RecordingError("\(text) isn't a URL") }
    var headers = HeaderFields()
    for line in header {
      let parts = line.split(separator: ":", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
      guard parts.count == 2 else { throw RecordingError("the header field \"\(line)\" isn't NAME: VALUE") }
      headers.set(parts[0], parts[1])
    }
    let bar = ProgressBar()
    defer { bar.end() }
    return try await Drift(of: recording, against: url, headers: headers, unsafe: unsafe) { bar.show($0, of: $1) }
  }

  private func show(_ report: Report) {
    guard !json else { return showJSON(report, pretty: true) }
    for finding in report.findings { print(colored(finding)) }
    for skipped in report.skipped { say("not sent: \(skipped)") }
    let counts = Drift.Severity.allCases.reversed().map { severity in
      let count = report.findings.count { $0.severity == severity }
      return "\(count) \(severity.rawValue)\(count == 1 ? "" : "s")"
    }
    let sent = "\(report.asked) \(report.asked == 1 ? "request" : "requests") sent; "
    say("\(against == nil ? "" : sent)\(counts.joined(separator: ", "))")
  }

  /// Colors on a terminal, unless `NO_COLOR` is set (https://no-color.org).
  private func colored(_ finding: Drift.Finding) -> String {
    let isPlain = isatty(STDOUT_FILENO) != 1 || ProcessInfo.processInfo.environment["NO_COLOR"]?.isEmpty == false
    switch finding.severity {
    case .error where !isPlain: return "\u{1B}[31m\(finding)\u{1B}[0m"
    case .warning where !isPlain: return "\u{1B}[33m\(finding)\u{1B}[0m"
    case .note, .warning, .error: return "\(finding)"
    }
  }
}
