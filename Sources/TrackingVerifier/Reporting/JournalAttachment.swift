import Foundation

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
    /// A line of JSON with the events' names, params and values, which `tracking coverage` counts.
    ///
    /// Kept at each stop of a verifier, also if the test passes or has no plan. Only where the test target links TrackingPlan.
    case observation
    /// The text of a flow that isn't recorded or differs from the recorded one, to be committed in its place.
    case flow
  }

  /// The format.
  package let form: Form
  /// Whether it is an observation, which is kept at each stop, also of a test that passes: `tracking coverage` counts them.
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

  /// An observation; `tracking coverage` finds it by its name.
  package static func observation(_ line: String, title: String) -> JournalAttachment {
    JournalAttachment(form: .observation, fileName: "\(title.asFileName)-tracking-observation.json", text: line)
  }

  /// Writes the text to a file of that name.
  ///
  /// - Returns: The path of the file, or the reason that it was not written.
  package func written(to directory: URL) -> String {
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

extension String {
  /// The text with a hyphen in place of each character that a file's name may not have.
  package var asFileName: String {
    String(map { $0.isLetter || $0.isNumber || $0 == "." || $0 == "_" ? $0 : "-" })
  }
}
