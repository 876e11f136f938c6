/// How a question stands after the events so far.
enum Standing: Hashable, Sendable {
  /// Not answered yet: further events may answer it.
  case open
  /// Answered for as long as nothing more comes.
  case holding
  /// Answered, whatever comes.
  case met
  /// Answered with no, whatever comes.
  case broken

  /// Whether it is what was asked for.
  var isGood: Bool { self == .met || self == .holding }
  /// Whether further events cannot change it.
  var isFinal: Bool { self == .met || self == .broken }
}
