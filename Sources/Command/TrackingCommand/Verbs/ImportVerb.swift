import Foundation
import StubRecording
import StubReplay
import TrackingJSON
import TrackingModel
import TrackingPlan

extension Verb {
  static let `import` = Verb(
    name: "import",
    abstract: "Makes a recording of a HAR file, which browsers and proxies save.",
    usage: ["<file> <folder> [<options>]"],
    discussion: """
      Secrets are replaced in everything that is written. Exit status 1: something was left out; standard error says \
      what.
      """,
    examples: ["tracking import session.har Tests/Recordings/checkout"],
    operands: .init(names: ["file", "folder"], help: "The HAR file, and the folder of the recording, which names it."),
    options: Redaction.options + [notes], run: run)

  private static let notes = VerbOption.flag(
    "--json", "Writes JSON: the number of exchanges, and notes on what was left out.")

  private static func run(_ arguments: Arguments, _ output: Output) throws -> Status {
    let redaction = Redaction.of(arguments)
    let (file, folder) = (arguments.operands[0], arguments.operands[1])
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
        notes.forEach { output.say(redaction.redacted($0)) }
        throw RecordingError("\(file) has no exchange that can be replayed")
      }
      path = folder
      progress.show("Writing \(folder)")
      let url = URL(fileURLWithPath: folder, isDirectory: true)
      notes += try recording.write(to: url, redaction: redaction).map { "\($0)" }
      written = recording.exchanges.count
    } catch let error as RecordingError {
      throw Refusal(redaction.redacted(error.description))
    } catch {
      throw Refusal("\(path) can't be \(path == file ? "read" : "written"): \(error.fileReason)")
    }
    // A note may quote a request.
    notes = notes.map(redaction.redacted)
    if arguments.has(Self.notes) {
      try output.json(JSONTree(of: ["exchanges": .int(written), "notes": notes.trackingValue] as TrackingValue))
    } else {
      notes.forEach { output.say($0) }
      output.say("\(written.counted("exchange")) written to \(folder)")
    }
    return notes.isEmpty ? .success : .findings
  }
}
