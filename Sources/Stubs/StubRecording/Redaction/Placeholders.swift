import Foundation
import TrackingJSON

/// The placeholders of secrets, without their numbers: two recordings of the same flow may number them differently.
enum Placeholders {
  /// `[redacted token 2]`, also percent-encoded any number of times.
  private static let pattern = try? NSRegularExpression(pattern: "(redacted( |%(?:25)*20)[A-Za-z]{1,20})\\2[0-9]+")

  /// Replaces `[redacted token 2]` with `[redacted token]`.
  static func unnumbered(_ text: [UInt8]) -> [UInt8] {
    // In Latin-1 each byte is a character, whatever the text is.
    guard text.firstRange(of: Array("redacted".utf8)) != nil, let pattern,
      let latin = String(bytes: text, encoding: .isoLatin1)
    else { return text }
    let all = NSRange(location: 0, length: text.count)
    let new = pattern.stringByReplacingMatches(in: latin, range: all, withTemplate: "$1")
    return new.data(using: .isoLatin1).map { [UInt8]($0) } ?? text
  }

  static func unnumbered(_ text: String) -> String { string(unnumbered(Array(text.utf8))) }

  /// Compacts a JSON body.
  static func unnumbered(_ body: Data) -> Data {
    let tree = try? JSONTree(body, spelling: .written, maximumDepth: RecordingFormat.deepestBody)
    return Data(unnumbered(tree.map { Array($0.text(.compact).utf8) } ?? [UInt8](body)))
  }
}
