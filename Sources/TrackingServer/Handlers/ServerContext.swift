import Foundation

/// The state shared by all exchanges of a running server.
package final class ServerContext: Sendable {
  package let configuration: TrackingServer.Configuration
  package let journal: TrackingJournal
  package let stubs: StubStore
  let backend: BackendSlot
  let session: String
  /// The server's start, to recognize events that an SDK kept from before it.
  let start = Date()
  let intake: EventReader
  let workers: Workers
  let allowedOrigins: AllowedOrigins
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
    allowedOrigins = AllowedOrigins(configuration.allowedOrigins)
    isEventPathRoot = configuration.eventPath == "/"
    workers = Workers(configuration.limits)
  }
}
