/// What becomes of the events of a submission that a test lets the server refuse.
public enum EventRecording: Hashable, Sendable {
  /// Only what is answered with a 2xx is recorded, as by a backend that is down and takes nothing.
  case accepted
  /// All of it is recorded and then refused, as by a backend that fails behind its database; a sender that sends it again without numbering it is recorded again.
  case all
}
