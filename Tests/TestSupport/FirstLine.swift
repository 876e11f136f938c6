import Foundation

/// The first line of a failure, which must say alone what was expected and what happened.
package enum FirstLine {
  /// The problem of a message's first line; `nil` for none.
  package static func problem(of message: String) -> String? {
    let lines = message.components(separatedBy: "\n")
    let (first, rest) = (lines[0], lines.dropFirst())
    if first.isEmpty { return "it is empty" }
    if first.hasPrefix("Waited") { return "it tells of the wait, not of the headline" }
    if first.count > 120 { return "it has \(first.count) characters" }
    if rest.contains(where: { $0.hasPrefix(first) }) { return "it is repeated" }
    if first.hasSuffix(":"), rest.allSatisfy({ $0.allSatisfy(\.isWhitespace) }) { return "nothing follows its colon" }
    return nil
  }
}
