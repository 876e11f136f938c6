import Foundation
import TrackingModel
import TrackingPatterns
import TrackingServer

/// The whole of what a verifier received, as a text to keep beside the test's result.
public struct JournalAttachment: Hashable, Sendable {
  /// How the text is to be read.
  public enum Form: String, Hashable, Sendable, CaseIterable {
    /// The session as `session.json`, which the inspector opens; its documentation describes the format.
    case json
    /// One HTML file: the inspector's page with the session in it. Only where the test target links TrackingInspector.
    case report
    /// A line for each event and each request, by its time.
    case timeline
  }

  /// How the text is to be read.
  public let form: Form
  /// A name for the file: `CartTests.testBuying-1-session.json`.
  public let fileName: String
  /// The text.
  public let text: String

  /// Writes the text to a file of that name.
  ///
  /// - Returns: The file's path, or why there is none.
  func written(to directory: URL) -> String {
    let file = directory.appendingPathComponent(fileName)
    do {
      try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
      return file.path
    } catch {
      return "not written to \(file.path): \(error.localizedDescription)"
    }
  }
}

/// A journal at one moment, as attachments show it.
struct JournalSnapshot {
  /// What the files' names begin with.
  let title: String
  let document: SessionDocument

  private var events: [RecordedEvent] { document.entries.compactMap(\.event) }
  private var requests: [RecordedRequest] { document.entries.compactMap(\.request) }
  private var rejections: [RejectedSubmission] { document.entries.compactMap(\.rejection) }
  private var lost: [LostEvents] { document.lost }

  var isEmpty: Bool { document.isEmpty }

  /// The journal in each form; the report where the inspector is linked.
  var attachments: [JournalAttachment] {
    let report = LinkedInspector.type.map { $0.report(document) }.map {
      JournalAttachment(form: .report, fileName: "\(fileTitle)-report.html", text: $0)
    }
    return [
      JournalAttachment(form: .timeline, fileName: "\(fileTitle)-timeline.txt", text: timeline),
      JournalAttachment(
        form: .json, fileName: "\(fileTitle)-session.json", text: String(decoding: document.json, as: UTF8.self)),
    ] + (report.map { [$0] } ?? [])
  }

  private var fileTitle: String {
    String(title.map { $0.isLetter || $0.isNumber || $0 == "." || $0 == "_" ? $0 : "-" })
  }

  private var timeline: String {
    let start = document.start
    let list = Timeline(
      of: events, on: Timescale(began: start, deadline: start + .clamping(seconds: .infinity)))
    var lines = ["\(CountText.events(events.count)), by the time since the first arrival:"]
    lines += list.lines(width: .max)
    if !requests.isEmpty {
      lines += ["", "\(Excerpt.count(requests.count, "request")):"]
      for request in requests {
        lines.append("\(TimeText.offset(request.arrival - start))  \(request)")
        if !request.request.body.isEmpty { lines.append("    with \(Excerpt.of(request.shownBody, width: .max))") }
      }
    }
    if !rejections.isEmpty {
      lines += ["", "\(Excerpt.count(rejections.count, "rejected submission")):"]
      for rejection in rejections {
        lines.append("\(TimeText.offset(rejection.arrival - start))  \(rejection)")
        let body = String(decoding: rejection.body, as: UTF8.self)
        if !body.isEmpty { lines.append("    in \(Excerpt.of(body, width: .max))") }
      }
    }
    if !lost.isEmpty {
      lines += ["", "Tracked but never arrived:"]
      for lost in lost {
        let numbers = lost.numberTexts.joined(separator: ", ")
        lines.append("\(lost.count) of \(lost.tracked) in launch \(lost.launch): \(numbers)")
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }
}

extension RecordedRequest {
  /// Characters of a body, of which a journal may hold very many.
  private static let longestBody = 1_000

  /// The beginning of the body.
  fileprivate var shownBody: String {
    let text = request.text
    return text.count > Self.longestBody ? "\(text.prefix(Self.longestBody)) ..." : text
  }
}
