import Foundation

/// A value that a test passes to the app it launches, as an environment variable or launch argument.
///
/// An app's own variables, under other names, hold plain values and aren't launch variables.
package struct LaunchVariable: Sendable {
  /// `TRACKING_URL`.
  package let name: String
  /// The launch argument that precedes the value, in the style of user defaults: `-TrackingURL`; `nil` if there is none.
  package let argument: String?

  /// The URL to which events are posted.
  package static let url = LaunchVariable(name: "TRACKING_URL", argument: "-TrackingURL")
  package static let session = LaunchVariable(name: "TRACKING_SESSION", argument: "-TrackingSession")
  /// The name of a stub scenario, passed in launch arguments only.
  package static let scenario = LaunchVariable(name: "StubScenario", argument: "-StubScenario")
  /// A stub table; or `fetch:` and the verifier's name for a table that is too large for a variable; or `file:` and the path of a table.
  package static let stubs = LaunchVariable(name: "TRACKING_STUBS", argument: nil)

  package func value(in environment: [String: String]) -> String? {
    environment[name].map(Self.unescaped)
  }

  /// The launch argument that holds the value; `nil` if there is none.
  ///
  /// Supports the forms in which test tools pass arguments: `-TRACKING_URL u` (Detox and Maestro, which write the hyphen themselves),
  /// `--TRACKING_URL u`, `TRACKING_URL=u`, and the same forms with `TrackingURL`. The last of several counts, as in user defaults. An argument that
  /// has the name as a word in another form is a failed attempt to pass the value, and has no value.
  package func argument(in arguments: [String]) -> LaunchArgument? {
    guard let argument else { return nil }
    let names = [name, String(argument.dropFirst())]
    var (read, meant): (LaunchArgument?, LaunchArgument?)
    for (index, text) in arguments.enumerated() {
      let word = text.drop { $0 == "-" }
      let found = word.prefix { $0 != "=" }
      if names.contains(String(found)) {
        let hasValue = found.endIndex < word.endIndex
        let end = min(index + (hasValue ? 1 : 2), arguments.count)
        let value = hasValue ? String(word[found.endIndex...].dropFirst()) : arguments[(index + 1)..<end].first ?? ""
        read = LaunchArgument(text: text, places: index..<end, value: Self.unescaped(value))
      } else if meant == nil, isMeant(by: text) {
        meant = LaunchArgument(text: text, places: index..<(index + 1), value: nil)
      }
    }
    return read ?? meant
  }

  /// Whether the text contains the name as a word, in any case and with any hyphens and underscores, but not in a URL or a path.
  private func isMeant(by text: String) -> Bool {
    let letters = Self.letters(of: name[...])
    var rest = text[...]
    var isInPath = false
    while let first = rest.first {
      let word = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" }
      rest = rest[word.endIndex...]
      if word.isEmpty {
        rest = rest.dropFirst()
        if first == "/" { isInPath = true } else if Self.endsPath(first) { isInPath = false }
      } else if !isInPath, Self.letters(of: word) == letters, rest.first != "/",
        // A file name: `tracking-url.json`.
        !(rest.first == "." && rest.dropFirst().first?.isLetter == true)
      {
        return true
      }
    }
    return false
  }

  private static func endsPath(_ character: Character) -> Bool {
    character.isWhitespace || "\"'`,;<>{}[]()".contains(character)
  }

  /// A name without case, hyphens and underscores.
  private static func letters(of name: Substring) -> String {
    name.filter { $0 != "-" && $0 != "_" }.lowercased()
  }

  package func environment(_ value: String) -> [String: String] {
    [name: Self.escaped(value)]
  }

  package func arguments(_ value: String) -> [String] {
    argument.map { [$0, Self.escaped(value)] } ?? []
  }

  /// Escapes equals signs, which some launchers lose, as `%3D`, and percent signs as `%25`.
  private static func escaped(_ value: String) -> String {
    value.replacing("%", with: "%25").replacing("=", with: "%3D")
  }

  private static func unescaped(_ value: String) -> String {
    value.replacing("%3D", with: "=").replacing("%25", with: "%")
  }
}
