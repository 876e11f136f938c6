import Foundation
import TrackingModel
import XCTest

/// Asserts that a text is the one of a literal of several lines.
///
/// With `TRACKING_RECORD_TEXTS=1` in the environment, the test of another text fails and its literal is rewritten in place.
package func assertText(
  _ actual: @autoclosure () throws -> String?, _ expected: String, _ message: @autoclosure () -> String = "",
  file: StaticString = #filePath, line: UInt = #line
) {
  let found = Result { try actual() }
  if let text = try? found.get(), text != expected, RecordedText.isRecording,
    RecordedText.write(text, for: expected, file, line)
  {
    return XCTFail("recorded another text", file: file, line: line)
  }
  XCTAssertEqual(try found.get(), expected, message(), file: file, line: line)
}

/// Asserts that texts are the ones of literals of several lines, which are rewritten in place as by `assertText`.
package func assertTexts(
  _ actual: [String], _ expected: [String], file: StaticString = #filePath, line: UInt = #line
) {
  guard actual.count == expected.count else { return XCTAssertEqual(actual, expected, file: file, line: line) }
  for (actual, expected) in zip(actual, expected) { assertText(actual, expected, file: file, line: line) }
}

/// A literal of several lines in a source, which a test expects.
package enum RecordedText {
  fileprivate static let isRecording = ProcessInfo.processInfo.environment["TRACKING_RECORD_TEXTS"] == "1"

  /// The files as they were compiled, with their lines: a rewritten literal moves what follows it.
  private static let moved = Locked<[String: [(line: Int, by: Int)]]>([:])

  fileprivate static func write(_ actual: String, for expected: String, _ file: StaticString, _ line: UInt) -> Bool {
    moved.withLock { moved in
      let path = "\(file)"
      let now = Int(line) + moved[path, default: []].reduce(0) { $0 + ($1.line < line ? $1.by : 0) }
      guard let source = try? String(contentsOfFile: path, encoding: .utf8),
        let new = rewritten(source, line: now, from: expected, to: actual),
        (try? new.write(toFile: path, atomically: true, encoding: .utf8)) != nil
      else { return false }
      moved[path, default: []].append((Int(line), new.count { $0 == "\n" } - source.count { $0 == "\n" }))
      return true
    }
  }

  /// Returns the source with another text in the first literal at or after a line that has the expected text, or `nil` if none has.
  ///
  /// Lines that stay the same stay as they are written, with their interpolations and escapes.
  package static func rewritten(_ source: String, line: Int, from expected: String, to actual: String) -> String? {
    var lines = source.components(separatedBy: "\n")
    let (old, new) = (expected.components(separatedBy: "\n"), actual.components(separatedBy: "\n"))
    var start = max(line - 1, 0)
    while let open = lines.indices.dropFirst(start).first(where: { lines[$0].hasSuffix("\"\"\"") }) {
      let close = lines.indices.dropFirst(open + 1).first { lines[$0].drop { $0 == " " }.hasPrefix("\"\"\"") }
      guard let close else { return nil }
      start = close + 1
      let hashes = String(lines[open].dropLast(3).reversed().prefix { $0 == "#" })
      let indent = String(lines[close].prefix { $0 == " " })
      let written = joined(lines[(open + 1)..<close].map { String($0.dropFirst(indent.count)) }, hashes)
      guard written.count == old.count, zip(written, old).allSatisfy({ says($0, $1, hashes) }) else { continue }
      // Each line of the new text as it is written: as before, if the old text has it.
      let change = new.difference(from: old)
      var result: [String] = Array(written)
      for case .remove(let place, _, _) in change.removals.reversed() { result.remove(at: place) }
      for case .insert(let place, let text, _) in change.insertions { result.insert(escaped(text, hashes), at: place) }
      let text = result.joined(separator: "\n").components(separatedBy: "\n")
      lines.replaceSubrange((open + 1)..<close, with: text.map { $0.isEmpty ? "" : indent + $0 })
      return lines.joined(separator: "\n")
    }
    return nil
  }

  /// Joins the lines that end with a backslash with the next ones.
  private static func joined(_ lines: [String], _ hashes: String) -> [String] {
    var result: [String] = []
    var isOpen = false
    for line in lines {
      if isOpen { result[result.count - 1] += "\n" + line } else { result.append(line) }
      isOpen = line.hasSuffix("\\" + hashes)
    }
    return result
  }

  /// Whether a written line may say a text: what is interpolated may be anything.
  private static func says(_ written: String, _ text: String, _ hashes: String) -> Bool {
    let escape = "\\" + hashes
    var pattern = ""
    var rest = written[...]
    while let place = rest.range(of: escape) {
      pattern += NSRegularExpression.escapedPattern(for: String(rest[..<place.lowerBound]))
      rest = rest[place.upperBound...]
      switch rest.first {
      case "n"?: pattern += "\\n"
      case "\n"?: break
      case "u"?, "("?:
        // To the bracket that closes it.
        var depth = 0
        let end = rest.firstIndex { character in
          depth += "({".contains(character) ? 1 : ")}".contains(character) ? -1 : 0
          return depth == 0 && ")}".contains(character)
        }
        rest = rest[(end ?? rest.startIndex)...]
        pattern += "[\\s\\S]*"
      case let character?: pattern += NSRegularExpression.escapedPattern(for: String(character))
      case nil: break
      }
      rest = rest.dropFirst()
    }
    pattern += NSRegularExpression.escapedPattern(for: String(rest))
    return text.range(of: "^\(pattern)$", options: .regularExpression) == text.startIndex..<text.endIndex
  }

  private static func escaped(_ text: String, _ hashes: String) -> String {
    text.replacing("\\" + hashes, with: "\\" + hashes + "\\").replacing("\"\"\"", with: "\\\(hashes)\"\"\"")
  }
}
