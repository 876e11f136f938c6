import ArgumentParser
import Foundation
import RecordingTools
@_spi(TrackingCommand) import StubRecording
import TrackingModel
import TrackingPlanKit

struct ImportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Makes a recording of a HAR file, which browsers and proxies save.",
    usage: "tracking import <file> <folder> [<options>]",
    discussion: """
      Secrets are replaced in everything that is written. Exit status 1: something was left out; standard error says \
      what.

      Example: tracking import session.har Tests/Recordings/checkout
      """)

  @Argument(help: "The HAR file.", completion: .file(extensions: ["har"]))
  var file: String

  @Argument(help: "The folder of the recording; its name is the recording's.", completion: .directory)
  var folder: String

  @OptionGroup var redaction: RedactionOptions

  @Flag(help: "Writes JSON: the number of exchanges, and notes on what was left out.")
  var json = false

  func run() throws {
    var notes: [String] = []
    let written: Int
    var path = file
    let progress = ProgressLine()
    do {
      defer { progress.end() }
      progress.show("Reading \(file)")
      let archive = try HTTPArchive(contentsOf: URL(fileURLWithPath: file))
      notes = archive.notes
      let recording = archive.recording(&notes)
      guard !recording.exchanges.isEmpty else {
        notes.forEach { say(redaction.redaction.redacted($0)) }
        throw RecordingError("\(file) has no exchange that can be replayed")
      }
      path = folder
      progress.show("Writing \(folder)")
      let url = URL(fileURLWithPath: folder, isDirectory: true)
      notes += try recording.write(to: url, redaction: redaction.redaction).map { "\($0)" }
      written = recording.exchanges.count
    } catch let error as RecordingError {
      throw refusal("tracking import: \(redaction.redaction.redacted(error.description))")
    } catch {
      let verb = path == file ? "read" : "written"
      throw refusal("tracking import: \(path) can't be \(verb): \(CommandLineTool.fileReason(of: error))")
    }
    // A note may quote a request.
    notes = notes.map(redaction.redaction.redacted)
    if json {
      showJSON(["exchanges": .int(written), "notes": notes.trackingValue] as TrackingValue, pretty: true)
    } else {
      notes.forEach { say($0) }
      say("\(written.counted(as: "exchange")) written to \(folder)")
    }
    if !notes.isEmpty { throw Status.findings }
  }
}
