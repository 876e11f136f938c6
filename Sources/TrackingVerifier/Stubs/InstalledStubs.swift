import Foundation
import StubModel
import TrackingChecks
import TrackingServer

struct StubState: Sendable {
  var installed = InstalledStubs()
  var reportedUnused: Set<StubTable.ID> = []
  var reportedClosures: Set<Int> = []
  /// The numbers of requests, named in a warning, for which a stub couldn't be compared.
  var warnedRequests: Set<Int> = []
  /// The stubs passed to apps; `nil` once one of them can't be passed.
  var passed: [PortableStub]? = []
  /// The recorded backend that responds in place of the app's, from the first start on.
  var backend: (any Backend)?
}

/// A verifier's stubs and their lines, in the order in which they were installed.
struct InstalledStubs: Sendable {
  struct Stub: Sendable {
    let id: StubTable.ID
    var endpoint: StubEndpoint
    var location: CodeLocation
    /// Replaced closures whose errors are still to be reported.
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

  func location(of id: StubTable.ID) -> CodeLocation? { all.first { $0.id == id }?.location }

  /// The line of a recorded stub; `nil` for another verifier's stub.
  func location(of stub: StubEndpoint) -> CodeLocation? {
    all.flatMap { [($0.endpoint, $0.location)] + $0.earlier }.first { $0.0.outline == stub }?.1
  }
}
