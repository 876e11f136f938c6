import Foundation

/// The state that all exchanges of a running server share.
package final class ServerContext: Sendable {
  package let configuration: TrackingServer.Configuration
  package let journal: TrackingJournal
  package let stubs: StubStore
  let backend: BackendSlot
  /// The token of the session.
  let session: String
  /// The time of the server's start: an SDK kept the events that it tracked earlier.
  let start = Date()
  let intake: EventReader
  let workers: Workers
  /// Whether events are posted to `/`, which is cheap to compare.
  let isEventPathRoot: Bool

  init(
    configuration: TrackingServer.Configuration, session: String, journal: TrackingJournal, stubs: StubStore,
    backend: BackendSlot
  ) {
    self.configuration = configuration
    self.session = session
    self.journal = journal
    self.stubs = stubs
    self.backend = backend
    intake = EventReader(maximumDepth: configuration.limits.jsonDepth)
    isEventPathRoot = configuration.eventPath == "/"
    workers = Workers(configuration.limits)
  }
}
