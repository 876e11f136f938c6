import ArgumentParser
import Foundation
import RecordingTools
@_spi(TrackingCommand) import StubRecording
import TrackingModel
import TrackingPlanKit

struct ConvertCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "convert",
    abstract: "Converts HAR files and WireMock's mappings to recordings, and these to HAR files.",
    usage: "tracking convert har|wiremock|folder <input> <output> [<options>]",
    discussion: """
      Secrets are replaced in everything that is written. Exit status 1: something was left out; standard error says \
      what.

      Examples:
        tracking convert har session.har Tests/Recordings/checkout
        tracking convert folder Tests/Recordings/checkout checkout.har
      """)

  enum Format: String, CaseIterable, ExpressibleByArgument {
    case har, wiremock, folder
  }

  enum Output: String, CaseIterable, ExpressibleByArgument {
    case har, folder
  }

  @Argument(help: "The input's format: a HAR file, WireMock's mappings, or a recording's folder.")
  var format: Format

  @Argument(help: "The file or folder to read.", completion: .file())
  var input: String

  @Argument(help: "The file or folder to write.", completion: .file())
  var output: String

  @Option(
    help: ArgumentHelp(
      "The output's format; by default har for a name that ends with .har, else folder.", valueName: "format"))
  var to: Output?

  @Option(help: ArgumentHelp("The backend that WireMock's mappings stand for.", valueName: "url"))
  var upstream = "http://localhost:8080"

  @OptionGroup var redaction: RedactionOptions

  @Flag(help: "Writes JSON: the number of exchanges, and notes on what was left out.")
  var json = false

  func run() throws {
    var notes: [String] = []
    let written: Int
    var path = input
    let progress = ProgressLine()
    do {
      defer { progress.end() }
      progress.show("Reading \(input)")
      let recording = try read(&notes)
      path = output
      progress.show("Writing \(output)")
      guard !recording.exchanges.isEmpty else {
        notes.forEach { say(redaction.redaction.redacted($0)) }
        throw RecordingError("\(input) has nothing that can be converted")
      }
      try write(recording, &notes)
      written = recording.exchanges.count
    } catch let error as RecordingError {
      throw refusal("tracking convert: \(redaction.redaction.redacted(error.description))")
    } catch {
      let verb = path == input ? "read" : "written"
      throw refusal("tracking convert: \(path) can't be \(verb): \(CommandLineTool.fileReason(of: error))")
    }
    // A note may quote a request or a condition.
    notes = notes.map(redaction.redaction.redacted)
    if json {
      showJSON(["exchanges": .int(written), "notes": notes.trackingValue] as TrackingValue, pretty: true)
    } else {
      notes.forEach { say($0) }
      say("\(written.counted(as: "exchange")) written to \(output)")
    }
    if !notes.isEmpty { throw Status.findings }
  }

  private func read(_ notes: inout [String]) throws -> BackendRecording {
    let url = URL(fileURLWithPath: input)
    switch format {
    case .folder: return try BackendRecording.existing(at: input)
    case .har:
      let archive = try HTTPArchive(contentsOf: url)
      notes += archive.notes
      return archive.recording(&notes)
    case .wiremock:
      let mappings = try WireMockMappings(contentsOf: url, of: upstream)
      notes += mappings.notes
      return mappings.recording
    }
  }

  private func write(_ recording: BackendRecording, _ notes: inout [String]) throws {
    let url = URL(fileURLWithPath: output)
    switch to ?? (output.lowercased().hasSuffix(".har") ? .har : .folder) {
    case .folder: notes += try recording.write(to: url, redaction: redaction.redaction).map { "\($0)" }
    case .har:
      let redacted = redaction.redaction.redacted(recording.exchanges)
      var clean = recording
      clean.exchanges = redacted.exchanges
      clean.redacted += redacted.positions.map { "\(redacted.exchanges[$0.exchange].request.line): \($0)" }
      notes += redacted.leaks.map { "\($0)" }
      try HTTPArchive(clean).data.write(to: url)
    }
  }
}
