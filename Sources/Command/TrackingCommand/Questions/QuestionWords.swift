import Foundation
import StubReplay
import TrackingModel

/// A question as words of a shell: `purchase total=120`, `POST /orders answered=201`.
enum QuestionWords {
  /// The question's members as JSON.
  ///
  /// A value is JSON if it can be read as such, and otherwise a string.
  static func question(_ text: String) throws -> [String: TrackingValue] {
    // A name may have spaces: members are the words with an equals sign at the end.
    var words = text.split(separator: " ").map(String.init)[...]
    var members: [String: TrackingValue] = [:]
    while words.count > 1, let last = words.last, let sign = last.firstIndex(of: "="), !last.hasPrefix("/") {
      let value = String(last[last.index(after: sign)...])
      members[String(last[..<sign])] = read(value)
      words.removeLast()
    }
    let name = words.joined(separator: " ")
    guard name.contains("/"), let method = words.first, method == method.uppercased() else {
      if let word = words.first(where: { $0.contains("=") && words.count > 1 }) {
        throw RecordingError("a value with a space can't follow \(word.prefix { $0 != "=" })=; use `tracking ask`")
      }
      var question: [String: TrackingValue] = ["event": .string(name)]
      if !members.isEmpty { question["params"] = .object(members) }
      return question
    }
    return members.merging(["request": .string(name)]) { $1 }
  }

  private static func read(_ text: String) -> TrackingValue {
    (try? JSONDecoder().decode(TrackingValue.self, from: Data(text.utf8))) ?? .string(text)
  }
}
