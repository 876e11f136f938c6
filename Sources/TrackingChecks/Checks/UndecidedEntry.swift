import TrackingPatterns
import TrackingServer

/// An entry for which a pattern can't tell whether it matches.
struct UndecidedEntry: Sendable {
  let entry: JournalEntry
  let reason: String

  var clause: Headline { "can't tell whether #\(entry.number) matches: \(foreign: reason)" }

  var sentence: String { "Can't tell whether #\(entry.number) matches: \(reason)." }
}
