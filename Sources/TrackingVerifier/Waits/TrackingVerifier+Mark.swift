import TrackingServer

extension TrackingVerifier {
  /// A moment in what a verifier receives.
  ///
  /// A wait that is given one does not see what came before it:
  ///
  /// ```swift
  /// let mark = verifier.mark()
  /// app.buttons["buy"].tap()
  /// verifier.wait(for: .named("button_tapped"), since: mark)     // not the tap of before
  /// ```
  public struct Mark: Hashable, Sendable {
    let place: JournalMark
    let journal: ObjectIdentifier
  }

  /// This moment: a wait `since:` it sees only what comes from here on.
  public func mark() -> Mark {
    Mark(place: journal.mark(), journal: ObjectIdentifier(journal))
  }

  /// The place from which on a question looks: the mark, but nothing from before a reset.
  ///
  /// `nil` for a mark of another server.
  func origin(_ mark: Mark?) -> JournalMark? {
    guard let mark else { return beginning }
    guard mark.journal == ObjectIdentifier(journal) else { return nil }
    let beginning = beginning
    return mark.place.entry < beginning.entry ? beginning : mark.place
  }
}
