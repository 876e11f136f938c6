import ArgumentParser
import Foundation
import RecordingTools
@_spi(TrackingCommand) import StubRecording

struct DriftCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "drift",
    abstract: "Reports how a backend has changed since it was recorded.",
    usage: "tracking drift <folder> --against <url> [--max-age <age>] [<options>]",
    discussion: """
      Sends the recorded GET and HEAD requests, and compares the status, the media type and the shape of JSON, but not \
      the values. A new member is a note, a missing one a warning, another type, status or media type an error. Exit \
      status 1: an error, a warning with --strict, or nothing could be compared.

      Example: tracking drift Recordings/checkout --against https://staging.example
      """)

  @Argument(help: "The folder of the recording.", completion: .directory)
  var folder: String

  @Option(help: ArgumentHelp("The backend: scheme, host and port.", valueName: "url"))
  var against: String?

  @Option(
    help: ArgumentHelp("A header field to send: \"Authorization: Bearer …\".", valueName: "name: value"))
  var header: [String] = []

  @Flag(help: "Also sends requests that change data, in their order.")
  var unsafe = false

  @Option(
    help: ArgumentHelp("The greatest age of an answer: 90d, 12h, 4w. Needs no network.", valueName: "age"),
    transform: Age.init(argument:))
  var maxAge: Age?

  @Flag(help: "Treats warnings as errors.")
  var strict = false

  @Flag(help: "Writes JSON: the number of requests sent, findings, and skipped requests.")
  var json = false

  struct Age {
    let seconds: TimeInterval

    init(argument: String) throws {
      let units: [Character: TimeInterval] = ["h": 3_600, "d": 86_400, "w": 604_800]
      guard let unit = argument.last.flatMap({ units[$0] }), let number = Double(argument.dropLast()), number >= 0,
        number.isFinite
      else { throw ValidationError("write a number and h, d or w") }
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
      let recording = try BackendRecording.existing(at: folder)
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

  private func drift(of recording: BackendRecording, against text: String) async throws -> Drift {
    let url = try Record.backend(text, verb: "drift")
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
    for finding in report.findings { Terminal.writeLine("\(finding)", in: Self.color(of: finding)) }
    for skipped in report.skipped { say("not sent: \(skipped)") }
    let counts = Drift.Severity.allCases.reversed().map { severity in
      report.findings.count { $0.severity == severity }.counted(as: severity.rawValue)
    }
    let sent = "\(report.asked.counted(as: "request")) sent; "
    say("\(against == nil ? "" : sent)\(counts.joined(separator: ", "))")
  }

  private static func color(of finding: Drift.Finding) -> Terminal.Color? {
    switch finding.severity {
    case .error: .red
    case .warning: .yellow
    case .note: nil
    }
  }
}
