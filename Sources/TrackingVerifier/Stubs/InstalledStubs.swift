import Foundation
import StubModel
import TrackingChecks
import TrackingServer

/// A verifier's part in the app's backend.
struct StubState: Sendable {
  var installed = InstalledStubs()
  /// The stubs that were reported as unused.
  var reportedUnused: Set<StubTable.ID> = []
  /// The requests whose failed closures have been reported.
  var reportedClosures: Set<Int> = []
  /// The numbers of the requests with a doubt that a warning has named.
  var warnedRequests: Set<Int> = []
  /// The stubs that were passed to apps; `nil` once some of them can't be.
  var handedOver: [HandedOverStub]? = []
  /// The recorded backend that responds instead of the app's, from the first start on.
  var backend: (any Backend)?
}

/// The stubs of a verifier with the lines that installed them, in the order in which they were installed.
struct InstalledStubs: Sendable {
  /// A stub and the line that installed it.
  struct Stub: Sendable {
    let id: StubTable.ID
    var endpoint: StubEndpoint
    var location: CodeLocation
    /// The closures that responded before they were replaced; their errors are still to be reported.
    var earlier: [(endpoint: StubEndpoint, location: CodeLocation)] = []
  }

  private(set) var all: [Stub] = []

  mutating func add(_ endpoint: StubEndpoint, _ id: StubTable.ID, at location: CodeLocation) {
    all.append(Stub(id: id, endpoint: endpoint, location: location))
  }

  mutating func remove(_ id: StubTable.ID) {
    all.removeAll { $0.id == id }
  }

  mutating func replace(_ id: StubTable.ID, with endpoint: StubEndpoint, at location: CodeLocation) {
    guard let index = all.firstIndex(where: { $0.id == id }) else { return }
    all[index].earlier.append((all[index].endpoint, all[index].location))
    (all[index].endpoint, all[index].location) = (endpoint, location)
  }

  /// The line that installed a stub; `nil` if it was removed.
  func location(of id: StubTable.ID) -> CodeLocation? { all.first { $0.id == id }?.location }

  /// The line that installed the stub of a record; `nil` if it is another verifier's.
  func location(of stub: StubEndpoint) -> CodeLocation? {
    all.flatMap { [($0.endpoint, $0.location)] + $0.earlier }.first { $0.0.outline == stub }?.1
  }
}
