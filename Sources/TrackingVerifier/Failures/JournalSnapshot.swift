import Foundation
import TrackingModel
import TrackingPatterns
import TrackingRules
import TrackingChecks
import TrackingServer

/// A journal at one moment, for attachments.
struct JournalSnapshot {
  let title: String
  let entries: [JournalEntry]
  let lost: [LostEvents]
  var plan: PlanIdentity?

  var isEmpty: Bool { entries.isEmpty && lost.isEmpty }

  /// - Parameter documents: The inspector's; `nil` if it isn't linked.
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

extension RecordedRequest {
  /// The maximum number of characters of a body.
  private static let longestBody = 1_000

  fileprivate var shownBody: String {
    let text = request.text
    return text.count > Self.longestBody ? "\(text.prefix(Self.longestBody)) ..." : text
  }
}
