import Foundation
import TrackingModel

/// Text about a verifier's received events that is attached to the test's result.
public struct JournalAttachment: Hashable, Sendable {
  /// The format of the text.
  package enum Form: String, Hashable, Sendable, CaseIterable {
    /// The session as `session.json`, which the inspector opens; requires TrackingInspector in the test target.
    case json
    /// The inspector's page with the session, as one HTML file; requires TrackingInspector in the test target.
    case report
    /// A line for each event, request and rejected submission, in the order of arrival.
    case timeline
    /// The events' names, params and values as a line of JSON, which `tracking coverage` counts.
    ///
    /// Attached by each `stop()`, even for a test that passes or has no plan. Requires TrackingPlan in the test target.
    case observation
    /// A flow that isn't recorded, or that differs from the recorded one, to commit in its place.
    case flow
  }

  package let form: Form
  /// Whether this is an observation for `tracking coverage`, which each `stop()` attaches, even for a test that passes.
  public var isObservation: Bool { form == .observation }
  /// The file name: `CartTests.testBuying-1-session.json`.
  public let fileName: String
  /// The text.
  public let text: String

  package init(form: Form, fileName: String, text: String) {
    self.form = form
    self.fileName = fileName
    self.text = text
  }

  /// Creates an observation; `tracking coverage` finds it by its name.
  package static func observation(_ line: String, title: String) -> JournalAttachment {
    JournalAttachment(form: .observation, fileName: "\(title.asFileName)-tracking-observation.json", text: line)
  }

  /// Writes the text to a file with the attachment's name, and returns the file's path, or why it wasn't written.
  package func written(to directory: URL) -> String {
    let file = directory.appendingPathComponent(fileName)
    do {
      try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
      return file.path
    } catch {
      return "not written to \(file.path): \(FileReason.of(error))"
    }
  }
}

extension String {
  /// The text with a hyphen for each character that isn't allowed in a file name.
  package var asFileName: String {
    String(map { $0.isLetter || $0.isNumber || $0 == "." || $0 == "_" ? $0 : "-" })
  }
}
