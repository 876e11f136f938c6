import Foundation
import TestSupport
import TrackingModel
import XCTest

@testable import TrackingCommand

/// The command lines and variables that README, the articles and the help show, parsed by the declarations of the command.
final class PagesTests: XCTestCase {
  func testEachShownCommandLineIsOneThatTheCommandTakes() throws {
    var lines = 0
    for page in try Page.all() {
      for line in page.commandLines {
        lines += 1
        do {
          try line.parse()
        } catch {
          XCTFail("\(page.name):\(line.number): \(line.text): \(error)")
        }
      }
    }
    XCTAssertGreaterThan(lines, 60)
    for verb in AllVerbs.list {
      for example in verb.examples {
        for line in CommandLine.all(in: example, number: 0) {
          XCTAssertNoThrow(try line.parse(), "the help of \(verb.name): \(example)")
        }
      }
    }
  }

  func testMistakesInShownCommandLinesAreNoticed() throws {
    for text in [
      "`tracking convert har.json`", "`tracking serve --accpt all`", "`tracking wait purchase --count`",
      "`tracking compare base head --fail-on everything`", "`tracking help serv`",
      "`swift run -c release tracking ask -`",
    ] {
      let lines = CommandLine.all(in: text, number: 1)
      XCTAssertEqual(lines.count, 1, text)
      for line in lines { XCTAssertThrowsError(try line.parse(), text) }
    }
  }

  func testEachShownValueOfAVariableIsOneThatItTakes() throws {
    for page in try Page.all() {
      for (number, line) in page.lines where line.contains("TRACKING_") {
        for assignment in line.matches(of: /(?:TEST_RUNNER_)?(TRACKING_[A-Z_]+)=([A-Za-z0-9.]+)/) {
          let environment = [String(assignment.1): String(assignment.2)]
          XCTAssertEqual(TestVariable.warnings(about: environment), [], "\(page.name):\(number)")
        }
        for row in line.matches(of: /^\| `(TRACKING_[A-Z_]+)` \|([^|]*)\|/) {
          guard let values = TestVariable.all.first(where: { $0.name == row.1 })?.values else { continue }
          for word in row.2.matches(of: /`([a-z0-9]+)`/) where !values.contains(String(word.1)) {
            XCTFail("\(page.name):\(number): \(row.1) can't be \(word.1)")
          }
        }
      }
    }
  }
}

/// A page of documentation.
private struct Page {
  let name: String
  /// The lines with their numbers, without those of blocks that say that they aren't checked.
  let lines: [(number: Int, text: String)]

  /// README, CONTRIBUTING and each article.
  static func all(file: StaticString = #filePath) throws -> [Page] {
    let tests = URL(fileURLWithPath: "\(file)").deletingLastPathComponent()
    let root = tests.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let sources = root.appendingPathComponent("Sources")
    let articles =
      FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil)?
      .compactMap { $0 as? URL }.filter { $0.pathExtension == "md" } ?? []
    let pages = ["README.md", "CONTRIBUTING.md"].map { root.appendingPathComponent($0) } + articles
    return try pages.map { url in
      let text = try String(contentsOf: url, encoding: .utf8)
      let lines = text.components(separatedBy: "\n").enumerated().map { (number: $0 + 1, text: $1) }
      return Page(name: url.lastPathComponent, lines: lines)
    }
  }

  /// The command lines in blocks of code, with continued lines joined, and in code within sentences.
  var commandLines: [CommandLine] {
    var found: [CommandLine] = []
    var isBlock = false
    var start: (number: Int, text: String)?
    for (number, text) in lines {
      if text.trimmingCharacters(in: .whitespaces).hasPrefix("```") {
        isBlock.toggle()
        continue
      }
      guard isBlock else {
        found += CommandLine.all(in: text, number: number)
        continue
      }
      let joined = (start?.text ?? "") + text
      if joined.hasSuffix("\\") {
        start = (start?.number ?? number, String(joined.dropLast()))
        continue
      }
      found += CommandLine.all(inCode: joined, number: start?.number ?? number)
      start = nil
    }
    return found
  }
}

/// A command line of a page, split into words as a shell does.
private struct CommandLine {
  let number: Int
  let text: String
  /// The words after `tracking`.
  let words: [String]
  /// Whether it is within a sentence, which may name a verb alone.
  let isInline: Bool

  /// The command lines in the code of a sentence.
  static func all(in text: String, number: Int) -> [CommandLine] {
    guard text.contains("tracking ") else { return [] }
    let code = text.contains("`") ? text.matches(of: /`([^`]+)`/).map { String($0.1) } : [text]
    return code.flatMap { all(inCode: $0, number: number, isInline: true) }
  }

  /// The command lines in a line of code: at its beginning, behind a prompt, a variable, another command, or `run:`.
  static func all(inCode code: String, number: Int, isInline: Bool = false) -> [CommandLine] {
    guard code.contains("tracking ") else { return [] }
    let code = code.replacing(/\$\([^)]*\)/, with: "VALUE")
    let starts = code.matches(
      of: /(?:^|[\s(;&|]|\$ )(?:swift run (?:-c release |--package-path \S+ )*)?tracking (?=[a-z-])/)
    return starts.compactMap { start in
      let before = code[..<start.range.lowerBound]
      // A sentence of a program's output, a comment or a name, and no command.
      guard before.isEmpty || before.contains(/(?:^|[$;&|(]|[A-Z_]+=\S*|run:|then|do|-)\s*$/) else { return nil }
      let rest = code[start.range.upperBound...]
      guard !rest.prefix(while: { $0 != " " }).hasSuffix(":") else { return nil }
      return CommandLine(number: number, text: String(code), words: shellWords(rest), isInline: isInline)
    }
  }

  /// The words up to the end of a command.
  private static func shellWords(_ text: Substring) -> [String] {
    var words: [String] = []
    var word: String?
    var quote: Character?
    for character in text {
      if let open = quote {
        if character == open { quote = nil } else { word = (word ?? "") + String(character) }
      } else if "'\"".contains(character) {
        quote = character
        word = word ?? ""
      } else if character.isWhitespace {
        if let word { words.append(word) }
        word = nil
      } else if "|&;<>)#".contains(character), character != "#" || word == nil {
        break
      } else {
        word = (word ?? "") + String(character)
      }
    }
    return words + (word.map { [$0] } ?? [])
  }

  func parse() throws {
    guard let first = words.first else { return }
    if ["--version", "--completions", "--help"].contains(first) { return }
    guard first != "help" else {
      guard let name = words.dropFirst().first, !name.allSatisfy(\.isUppercase), !HelpTopic.pages.contains(name) else {
        return
      }
      throw UsageError("there is no help on \(name)")
    }
    guard let verb = AllVerbs.list.first(where: { $0.name == first }) else {
      throw UsageError("there is no verb \(first)")
    }
    let rest = words.dropFirst()
    if isInline, rest.isEmpty || rest.contains("--help") { return }
    do throws(UsageError) {
      _ = try Arguments(rest, options: verb.options, operands: verb.operands)
    } catch {
      // A sentence may speak of an option without its value or the operands.
      let isOnlyOption = isInline && rest.count == 1 && verb.options.contains { $0.isCalled(rest.first ?? "") }
      guard isOnlyOption else { throw error }
    }
  }
}
