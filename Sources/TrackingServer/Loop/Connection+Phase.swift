import StubModel

extension Connection {
  /// What a connection is at.
  ///
  /// Indirect are the phases with a time: the system may change how large an instant is, so that a phase that held one would be copied by calls
  /// into its library, at every turn of every connection.
  enum Phase {
    /// Requests are read and answered.
    case serving
    /// Work is being done for the answer to a request, which stays in the parser.
    case working
    /// An answer is given step by step; the next step is due at a time.
    indirect case answering(ArraySlice<Answer.Step>, isLast: Bool, resumesAt: ContinuousClock.Instant)
    /// When all is sent, the exchange ends in this way.
    case failing(Fault.Effect)
    /// The connection is reset as soon as the client has received what was sent, or at a time.
    indirect case resetting(until: ContinuousClock.Instant)
    /// Nothing will be sent any more, and what comes is dropped, until the client gives up.
    case stalled
    /// The last answer is on its way; then the socket is closed, after a while of listening if the client may still be sending.
    case closing(lingers: Bool)
    /// RFC 9112 9.6: closing at once, with bytes unread, would reset the connection and might destroy the answer before the client has read it.
    case lingering
  }
}
