import TestSupport

/// A failure that README or an article quotes in a block of code.
struct QuotedFailure {
  /// The file and the line of the block's first line.
  let place: String
  let lines: [String]

  /// The quotes of README and of the articles, except those of the gallery itself.
  static func all() throws -> [QuotedFailure] {
    let root = GalleryPage.file.appending(path: "../../../..").standardizedFileURL
    let files = FileManager.default.enumerator(at: root.appending(path: "Sources"), includingPropertiesForKeys: nil)
    let articles = (files?.compactMap { $0 as? URL } ?? []).filter {
      $0.pathExtension == "md" && $0 != GalleryPage.file
    }
    return try ([root.appending(path: "README.md")] + articles).flatMap {
      quotes(in: try String(contentsOf: $0, encoding: .utf8), of: $0.lastPathComponent)
    }
  }

  /// The blocks of text that aren't a command with its output.
  ///
  /// A comment before a block leaves it out: `<!-- not in the gallery: a warning of the recorder -->`.
  static func quotes(in page: String, of name: String) -> [QuotedFailure] {
    var quotes: [QuotedFailure] = []
    var block: QuotedFailure?
    var isOpen = false
    var before = ""
    for (index, line) in page.components(separatedBy: "\n").enumerated() {
      let trimmed = line.trimmingCharacters(in: .whitespaces)
      if trimmed.hasPrefix("```") {
        if !isOpen, ["```", "```text"].contains(trimmed), !before.hasPrefix("<!-- not in the gallery: ") {
          block = QuotedFailure(place: "\(name):\(index + 2)", lines: [])
        } else if isOpen, let read = block {
          if read.lines.first?.hasPrefix("$ ") == false { quotes.append(read) }
          block = nil
        }
        isOpen.toggle()
      } else if let read = block {
        block = QuotedFailure(place: read.place, lines: read.lines + [line])
      } else if !trimmed.isEmpty {
        before = trimmed
      }
    }
    return quotes
  }

  /// The first part that has the shape of no part of the failures; `nil` if each has one.
  func stalePart(among failures: Set<String>) -> String? {
    Self.parts(of: lines).first { !failures.contains(Self.shape(of: $0)) }
  }

  /// The shapes of all that messages say: of each line, and of each sentence that is wrapped over several lines.
  static func shapes(of messages: [String]) -> Set<String> {
    Set(
      messages.flatMap { message in
        parts(of: message.components(separatedBy: "\n")).flatMap { part in
          // A page may quote the headline without the sentences that follow it, or one of these.
          let lines = part.components(separatedBy: "\n")
          return lines.indices.flatMap { first in
            (first..<lines.count).map { shape(of: lines[first...$0].joined(separator: "\n")) }
          }
        }
      })
  }

  /// Indented lines, and runs of others, which may be wrapped.
  private static func parts(of lines: [String]) -> [String] {
    var parts: [String] = []
    var follows = false
    for line in lines {
      let isSentence = line.first.map { $0 != " " } ?? false
      if isSentence, follows {
        parts[parts.count - 1] += "\n\(line)"
      } else if !line.isEmpty {
        parts.append(line)
      }
      follows = isSentence
    }
    return parts
  }

  /// The text without what differs from failure to failure: texts, names, numbers and times.
  private static func shape(of part: String) -> String {
    var text = part.replacing(#/^\S+\.swift:\d+: error: \S+ : failed - /#, with: "").replacing("\n", with: " ")
    text.replace(#/ … \(of \d+\) … /#, with: "…")
    text.replace(#/\{"[^}]*\}+/#, with: "JSON")
    text.replace(#/\b\w+\(.*?\)(?=$|[ ;,.:])/#, with: "EVENT")
    text.replace(#/"(?:[^"\\]|\\.)*"/#, with: "TEXT")
    text.replace(#/\b[A-Z]{3,7} /\S*/#, with: "REQUEST")
    text.replace(#/https?://\S+(?=[\s.])/#, with: "URL")
    text.replace(#/\b[\w/]+\.(?:swift|json):\d+/#, with: "PLACE")
    // A line of a difference: a name, or a param with its value.
    text.replace(#/^ +(?:[-+] )?\w+$/#, with: "NAME")
    text.replace(#/^ +(?:[-+] )?[\w.\[\]]+: (?:TEXT|[\d.]+|Int)(?=$| +\()/#, with: "PARAM")
    text.replace(#/[-+]?\b\d+(?:\.\d+)?(?: (?:ms|s|min)\b)?/#, with: "N")
    text.replace(#/\bN ((?:equal |extra )?(?:event|param|request|submission))s\b/#) { "N \($0.1)" }
    text.replace(#/ {2,}/#, with: " ")
    return text.trimmingCharacters(in: .whitespaces)
  }
}
