import Foundation
import TrackingModel
import TrackingPatterns

extension CheckKind {
  var patternProblem: String? {
    let broken = (patterns + ignored).first { $0.problem != nil }
    return broken.flatMap { pattern in
      pattern.problem.map { problem in
        let noun = pattern.kinds == .requests ? "request" : "event"
        return "The pattern cannot match any \(noun): \(problem.reason).\(problem.advice.map { "\n\($0)" } ?? "")"
      }
    }
  }

  var orderProblem: String? {
    patterns.isEmpty ? "An empty order checks nothing: name at least one event or request." : patternProblem
  }

  var kindsProblem: String? {
    kinds.isEmpty ? "A check of no kind of entries checks nothing: name events, requests or both." : nil
  }

  /// The problem of a check that ignores all entries of its kinds.
  var ignoredProblem: String? {
    kinds.isSubset(of: EntryKinds(ignored.map(\.wholeKinds)))
      ? "A check that ignores all \(kinds.plural) checks nothing: name only those to ignore in `ignoring:`." : nil
  }

  func secondsProblem(_ seconds: TimeInterval?) -> String? {
    guard let seconds, seconds.isNaN || seconds < 0 else { return nil }
    return "A number of seconds cannot be \(TimeText.seconds(seconds)): \(self)."
  }

  /// The time that a check listens, as a problem if it is invalid.
  func listeningProblem(_ seconds: TimeInterval?) -> String? {
    seconds ?? 0 > ListeningTime.longest
      ? "A check that listens without an end never passes: name the seconds with `within:`." : secondsProblem(seconds)
  }

  /// " within 1 s"; empty for the settling time.
  func within(_ seconds: TimeInterval?) -> String { seconds.map { " within \(TimeText.seconds($0))" } ?? "" }

  var exception: Headline {
    ignored.reduce("") { "\($0)\($0.text.isEmpty ? ", ignoring" : " or") \($1.words)" }
  }
}
