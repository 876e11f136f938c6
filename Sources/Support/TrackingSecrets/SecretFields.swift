import TrackingModel

/// The header fields whose values a session leaves out, since people send sessions to each other.
package final class SecretFields: Sendable {
  private let names: SecretNames
  /// A cache, since checking a name takes microseconds and each entry has the same few names.
  private let known = Locked<[String: Bool]>([:])
  private static let mostKnown = 1_000

  package init(_ names: SecretNames = SecretNames()) { self.names = names }

  package func contains(_ name: String) -> Bool {
    known.withLock { known in
      if let isSecret = known[name] { return isSecret }
      let isSecret =
        if case .secret = names.classification(ofField: name) { true } else {
          name.lowercased() == "tracking-session"
        }
      if known.count < Self.mostKnown { known[name] = isSecret }
      return isSecret
    }
  }
}
