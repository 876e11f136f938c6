import TrackingServer

extension TrackingVerifier {
  /// A moment in a verifier's timeline.
  ///
  /// A wait since a mark ignores earlier entries:
  ///
  /// ```swift
  /// let mark = verifier.mark()
  /// app.buttons["buy"].tap()
  /// verifier.wait(for: .named("button_tapped"), since: mark)     // not an earlier tap
  /// ```
  public struct Mark: Hashable, Sendable {
    let place: JournalMark
    let journal: ObjectIdentifier
  }

  /// Returns the current moment: a wait `since:` it ignores all earlier entries.
  public func mark() -> Mark {
    useSharedServer()
    return Mark(place: journal.mark(), journal: ObjectIdentifier(journal))
  }

  /// Returns the start of a check: the mark, or the last reset if that is later; `nil` for a mark of another server.
  func origin(_ mark: Mark?) -> JournalMark? {
    guard let mark else { return beginning }
    guard mark.journal == ObjectIdentifier(journal) else { return nil }
    let beginning = beginning
    if mark.place.entry < beginning.entry { return beginning }
    var place = mark.place
    place.firstRequest = beginning.firstRequest
    return place
  }
}
