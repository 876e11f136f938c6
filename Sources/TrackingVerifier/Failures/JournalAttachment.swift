import Foundation
import TrackingModel
import TrackingPatterns
import TrackingRules
import TrackingQuestions
import TrackingServer

/// The events that a verifier received, as a text to keep with the test's result.
public struct JournalAttachment: Hashable, Sendable {
  /// The format of the text.
  package enum Form: String, Hashable, Sendable, CaseIterable {
    /// The session as `session.json`, which the inspector opens; its documentation describes the format.
    ///
    /// Only where the test target links TrackingInspector.
    case json
    /// One HTML file: the inspector's page with the session in it. Only where the test target links TrackingInspector.
    case report
    /// A line for each event, request and rejected submission, by its time.
    case timeline
    /// A line of JSON with the events' names, params and values, which `tracking plan coverage` counts.
    ///
    /// Kept at each stop of a verifier, also if the test passes or has no plan. Only where the test target links TrackingPlan.
    case observation
    /// The text of a flow that isn't recorded or differs from the recorded one, to be committed in its place.
    case flow
  }

  /// The format of the text.
  package let form: Form
  /// Whether it is an observation, which is kept at each stop, also of a test that passes: `tracking plan coverage` counts them.
  public var isObservation: Bool { form == .observation }
  /// A name for the file: `CartTests.testBuying-1-session.json`.
  public let fileName: String
  /// The text.
  public let text: String

  package init(form: Form, fileName: String, text: String) {
    self.form = form
    self.fileName = fileName
    self.text = text
  }

  /// An observation; `tracking plan coverage` finds it by its name.
  static func observation(_ line: String, title: String) -> JournalAttachment {
    JournalAttachment(form: .observation, fileName: "\(title.asFileName)-tracking-observation.json", text: line)
  }

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
  /// The beginning of the files' names.
  let title: String
  let entries: [JournalEntry]
  let lost: [LostEvents]
  /// The plan that the events were checked against.
  var plan: PlanIdentity?

  var isEmpty: Bool { entries.isEmpty && lost.isEmpty }

  /// The journal in each form.
  ///
  /// - Parameter documents: The inspector's; `nil` where it is not linked.
  func attachments(with documents: (session: String, report: String)?) -> [JournalAttachment] {
    var attachments = [JournalAttachment(form: .timeline, fileName: "\(fileTitle)-timeline.txt", text: timeline)]
    if let documents {
      attachments += [
        JournalAttachment(form: .json, fileName: "\(fileTitle)-session.json", text: documents.session),
        JournalAttachment(form: .report, fileName: "\(fileTitle)-report.html", text: documents.report),
      ]
    }
    return attachments
  }

  private var fileTitle: String { title.asFileName }

  /// The moment that times are measured from: the first arrival.
  private var start: ContinuousClock.Instant { entries.first?.arrival ?? .now }

  private var timeline: String {
    let start = start
    let list = Timeline(
      of: entries,
      on: Timescale(began: start, deadline: start + .clamping(seconds: .infinity), zero: "the first arrival"))
    let rows = list.lines(width: .max)
    var lines = [list.title(shown: .max)]
    for (entry, row) in zip(entries, rows) {
      lines.append(row)
      if let request = entry.request, !request.request.body.isEmpty {
        lines.append("    with \(Excerpt.of(request.shownBody, width: .max))")
      }
      if let rejection = entry.rejection {
        lines.append("    \(rejection)")
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
    lines += ["", plan.map { "Checked against the tracking plan \($0)" } ?? "Not checked against a tracking plan"]
    return lines.joined(separator: "\n") + "\n"
  }
}

extension String {
  /// The text with a hyphen in place of each character that a file's name may not have.
  package var asFileName: String {
    String(map { $0.isLetter || $0.isNumber || $0 == "." || $0 == "_" ? $0 : "-" })
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

/// Makes names of attachments that are unique in this process.
enum AttachmentTitles {
  private static let counts = Locked<[String: Int]>([:])

  /// `CartTests.testBuying-1`, for the test `CartTests.testBuying`.
  static func next(for title: String) -> String {
    let number = counts.withLock { counts in
      counts[title, default: 0] += 1
      return counts[title, default: 0]
    }
    return "\(title)-\(number)"
  }
}
