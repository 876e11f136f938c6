import Foundation
import TrackingPlanKit

/// The parts of a session.json that a report in text needs.
struct SessionSummary {
  private struct Document: Decodable {
    struct Failure: Decodable {
      let message: String
      let location: String?
    }

    struct Finding: Decodable {
      let message: String
      let path: String?
    }

    struct Entry: Decodable {
      let kind: String
      let number: Int?
      let name: String?
      let method: String?
      let target: String?
      let status: Int?
      let reason: String?
      let problem: String?
      let isUnmatched: Bool?
      let findings: [Finding]?
    }

    struct Loss: Decodable {
      let launch: String
      let count: Int
    }

    let title: String?
    let failures: [Failure]?
    let entries: [Entry]
    let lost: [Loss]?
  }

  /// Something that is wrong with an entry.
  private struct Problem {
    let subject: String
    let text: String
  }

  private let document: Document
  private let title: String

  init(_ data: Data, at path: String) throws {
    do {
      _ = try SessionFile(data, name: path)
      document = try JSONDecoder().decode(Document.self, from: data)
    } catch let error as DecodingError {
      throw refusal("tracking report: \(path): \(error.reason())")
    } catch {
      throw refusal("tracking report: \(error)")
    }
    title = document.title.flatMap { $0.isEmpty ? nil : $0 } ?? "A tracking session"
  }

  private var failures: [Document.Failure] { document.failures ?? [] }
  private var events: [Document.Entry] { document.entries.filter { $0.kind == "event" } }

  private var problems: [Problem] {
    let ofEntries = document.entries.flatMap { entry in
      let number = entry.number.map { "#\($0) " } ?? ""
      let subject = "\(number)\(entry.name ?? entry.method.map { "\($0) \(entry.target ?? "")" } ?? entry.kind)"
      var texts = (entry.findings ?? []).map { finding in
        finding.path.map { "\($0): \(finding.message)" } ?? finding.message
      }
      if entry.kind == "rejection" { texts.append("rejected (\(entry.status ?? 0)): \(entry.reason ?? "")") }
      if entry.isUnmatched == true { texts.append("no stub answers it") }
      if let problem = entry.problem { texts.append(problem) }
      return texts.map { Problem(subject: subject, text: $0) }
    }
    return ofEntries
      + (document.lost ?? []).map { loss in
        Problem(subject: "launch \(loss.launch)", text: "\(loss.count) tracked events never arrived")
      }
  }

  // MARK: - JSON

  /// The numbers of a report.
  struct Counts: Encodable {
    let title: String
    let entries: Int
    let events: Int
    let failures: Int
    let findings: Int
    let report: String?
  }

  func counts(report path: String?) -> Counts {
    Counts(
      title: title, entries: document.entries.count, events: events.count, failures: failures.count,
      findings: problems.count, report: path)
  }

  // MARK: - JUnit

  var junit: String {
    let all = failures.map { ($0.message, $0.location ?? "") } + problems.map { ("\($0.subject): \($0.text)", "") }
    let parts = title.split(separator: ".", maxSplits: 1).map(String.init)
    let (suite, name) = (parts.first ?? title, parts.last ?? title)
    let cases = all.map { message, location in
      let first = message.split(separator: "\n").first.map(String.init) ?? message
      let place = location.isEmpty ? "" : "\(location)\n"
      return "      <failure message=\"\(Self.xml(first))\">\(Self.xml(place + message))</failure>\n"
    }
    let counts = "tests=\"1\" failures=\"\(all.isEmpty ? 0 : 1)\""
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <testsuites \(counts)>
        <testsuite name="\(Self.xml(suite))" \(counts)>
          <testcase classname="\(Self.xml(suite))" name="\(Self.xml(name))">
      \(cases.joined())    </testcase>
        </testsuite>
      </testsuites>

      """
  }

  /// Escapes XML's special characters, and leaves out control characters that XML 1.0 (2.2) doesn't allow.
  private static func xml(_ text: String) -> String {
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

  // MARK: - Markdown

  var markdown: String {
    var lines = [
      "# \(Self.markdown(title))", "", "\(Self.count(events.count, "event")), \(Self.count(problems.count, "problem"))",
    ]
    if !failures.isEmpty { lines += ["", "## Failures"] }
    for failure in failures {
      // A fence longer than any in the text, so that the text can't end it.
      let longest = failure.message.split(whereSeparator: { $0 != "`" }).map(\.count).max() ?? 0
      let fence = String(repeating: "`", count: max(longest + 1, 3))
      lines += [
        "", failure.location.map { "`\($0.filter { $0 != "`" })`" } ?? "", "", "\(fence)text", failure.message, fence,
      ]
    }
    if !problems.isEmpty {
      lines += ["", "## Problems", "", "| Entry | Problem |", "|---|---|"]
      lines += problems.map { "| \(Self.markdown($0.subject)) | \(Self.markdown($0.text)) |" }
    }
    let counts = Dictionary(grouping: events) { $0.name ?? "" }.mapValues(\.count)
    if !counts.isEmpty {
      lines += ["", "## Events", "", "| Name | Number |", "|---|---|"]
      lines += counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map {
        "| \(Self.markdown($0.key)) | \($0.value) |"
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Text in a cell of a table: markup of an app's texts is shown and has no effect.
  private static func markdown(_ text: String) -> String {
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

  private static func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }
}
