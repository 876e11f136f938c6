import Foundation
@_spi(TrackingCommand) import StubRecording
import TrackingPlanKit

/// A session as JUnit XML, Markdown and numbers.
struct SessionSummary {
  /// Something that is wrong with an entry, or events that never arrived.
  private struct Problem {
    let subject: String
    let text: String
  }

  private let session: SessionFile
  private let title: String
  private let problems: [Problem]

  init(_ data: Data, at path: String) throws {
    do {
      session = try SessionFile(data, name: path)
    } catch {
      throw refusal("tracking report: \(error)")
    }
    title = session.title.isEmpty ? "A tracking session" : session.title
    problems =
      session.entries.flatMap { entry in
        entry.problems.map { Problem(subject: "#\(entry.number) \(entry.name)", text: $0) }
      }
      + session.losses.map { Problem(subject: "launch \($0.launch)", text: "\($0.count) tracked events never arrived") }
  }

  // MARK: - JSON

  /// The numbers of a report.
  struct Counts: Encodable {
    let title: String
    let entries: Int
    let events: Int
    let failures: Int
    let findings: Int
    let plan: String?
    let digest: String?
    let report: String?
  }

  func counts(report path: String?) -> Counts {
    Counts(
      title: title, entries: session.entries.count, events: session.entries.count(where: \.isEvent),
      failures: session.failures.count, findings: problems.count,
      plan: session.planName, digest: session.planDigest, report: path)
  }

  // MARK: - JUnit

  var junit: String {
    let all = session.failures.map { ($0.message, $0.location) } + problems.map { ("\($0.subject): \($0.text)", "") }
    let parts = title.split(separator: ".", maxSplits: 1).map(String.init)
    let (suite, name) = (parts.first ?? title, parts.last ?? title)
    let cases = all.map { message, location in
      let first = message.split(separator: "\n").first.map(String.init) ?? message
      let place = location.isEmpty ? "" : "\(location)\n"
      return "      <failure message=\"\(Self.xml(first))\">\(Self.xml(place + message))</failure>\n"
    }
    // Jenkins' schema requires `errors`.
    let counts = "tests=\"1\" failures=\"\(all.isEmpty ? 0 : 1)\" errors=\"0\""
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <testsuites \(counts)>
        <testsuite name="\(Self.xml(suite))" \(counts)>
          <properties>
            <property name="tracking.plan" value="\(Self.xml(planText ?? "none"))"/>
          </properties>
          <testcase classname="\(Self.xml(suite))" name="\(Self.xml(name))">
      \(cases.joined())    </testcase>
        </testsuite>
      </testsuites>

      """
  }

  /// Escapes XML's special characters, and leaves out control characters that XML 1.0 (2.2) doesn't allow.
  static func xml(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "\t", "\n", "\r": escaped.unicodeScalars.append(scalar)
      case "\u{FFFE}", "\u{FFFF}": continue
      case _ where scalar.value < 0x20: continue
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }

  /// The plan that the events were checked against, in a sentence.
  private var planSentence: String {
    planText.map { "The events were checked against the plan \($0)." } ?? "The events were not checked against a plan."
  }

  private var planText: String? {
    guard let name = session.planName, let digest = session.planDigest else { return nil }
    return "\"\(name)\" (\(digest))"
  }

  // MARK: - Markdown

  /// The most bytes of a summary: GitHub takes 1 MiB for all summaries of a step.
  private static let mostMarkdown = 512 * 1_024

  var markdown: String {
    let events = session.entries.filter(\.isEvent)
    var writer = MarkdownWriter(limit: Self.mostMarkdown)
    writer.add("# \(Self.markdown(title))\n")
    writer.add("\(events.count.counted(as: "event")), \(problems.count.counted(as: "problem"))\n")
    writer.add("\(Self.markdown(planSentence))\n")
    writer.add(session.failures.map(Self.section), under: "## Failures", noun: "failure")
    writer.add(
      problems.map { "| \(Self.markdown($0.subject)) | \(Self.markdown($0.text)) |" },
      under: "## Problems\n\n| Entry | Problem |\n|---|---|", noun: "problem")
    let counts = Dictionary(grouping: events, by: \.name).mapValues(\.count)
    writer.add(
      counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { "| \(Self.markdown($0.key)) | \($0.value) |" },
      under: "## Events\n\n| Name | Number |\n|---|---|", noun: "name")
    return writer.document
  }

  private static func section(_ failure: SessionFile.Failure) -> String {
    // A fence longer than any in the text, so that the text can't end it.
    let longest = failure.message.split(whereSeparator: { $0 != "`" }).map(\.count).max() ?? 0
    let fence = String(repeating: "`", count: max(longest + 1, 3))
    let location = failure.location.isEmpty ? "" : "`\(failure.location.filter { $0 != "`" })`"
    return "\n\(location)\n\n\(fence)text\n\(failure.message)\n\(fence)"
  }

  /// Text in a cell of a table: markup of an app's texts is shown and has no effect.
  static func markdown(_ text: String) -> String {
    var escaped = ""
    for character in text.prefix(500) {
      if character.isNewline {
        escaped += " "
      } else {
        if "\\`*_{}[]()<>#+-.!|&~@".contains(character) { escaped += "\\" }
        escaped.append(character)
      }
    }
    return escaped
  }

}

/// Markdown up to a size: what has no room is counted.
private struct MarkdownWriter {
  private var text = ""
  private var room: Int

  init(limit: Int) { room = limit }

  /// The text without blank lines at its end.
  var document: String { text.hasSuffix("\n\n") ? String(text.dropLast()) : text }

  mutating func add(_ line: String) {
    text += "\(line)\n"
    room -= line.utf8.count + 1
  }

  /// Adds a section, as far as there is room; no section without lines.
  mutating func add(_ lines: [String], under heading: String, noun: String) {
    guard !lines.isEmpty else { return }
    add(heading)
    let shown = lines.prefix { line in
      room -= line.utf8.count + 1
      return room > 0
    }
    text += shown.joined(separator: "\n") + "\n"
    let rest = lines.count - shown.count
    if rest > 0 { text += "\n\(rest.counted(as: "more \(noun)")) left out; the HTML report has all that fit\n" }
    text += "\n"
  }
}
