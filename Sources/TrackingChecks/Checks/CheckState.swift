package enum CheckState: Hashable, Sendable {
  /// May be decided by further entries.
  case open
  /// Passes unless something else arrives.
  case holding
  /// Passed for good.
  case met
  /// Failed for good.
  case broken

  package var isGood: Bool { self == .met || self == .holding }
  /// Whether further entries can't change the state.
  package var isFinal: Bool { self == .met || self == .broken }
}

/// The facts that determine the result of a check.
package enum CheckScope {
  /// Lost and rejected events.
  case delivery
  /// Redeliveries of earlier events.
  case redeliveries
  case stubs
  /// Each entry on its own.
  case eachEntry
  /// Entries that are equal.
  case equalEntries
  case entries
  /// Entries, and the matches of earlier waits.
  case entriesAndMatches

  package var includesEntries: Bool { ![.delivery, .redeliveries, .stubs].contains(self) }
}
