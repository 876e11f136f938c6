import Foundation
import StubModel
import TrackingServer

extension TrackingVerifier {
  /// All requests except accepted submissions of events, since the verifier began or was reset, in the order of arrival.
  public var requests: [RecordedRequest] {
    useSharedServer()
    return journal.requests(since: beginning)
  }

  /// The requests that neither a stub nor the server itself serves.
  public var unmatchedRequests: [RecordedRequest] {
    requests.filter(\.isUnmatched)
  }

  /// Returns a launch environment that passes stubs to an app that uses `StubbedSession`.
  ///
  /// ```swift
  /// app.launchEnvironment.merge(verifier.stubsEnvironment(for: [StubEndpoint(.get, "/users", .json(["posts": 5]))])) { $1 }
  /// ```
  ///
  /// Pass `scenario.stubs` for the stubs of a scenario. Each call adds to those of earlier calls, so that `setUp()` and a test can both add stubs;
  /// ``resetStubs()`` removes them. Files are passed as their content. No value contains an equals sign. A stub that can't be passed fails the test
  /// at the line of the call, and every request of the app, so that the app doesn't use its real backend instead.
  ///
  /// Stubs of more than 64 KiB (Linux: 32 KiB) are too large for a variable; the app fetches them from the verifier when it creates its session. The
  /// first such call starts the server, and its result includes the verifier's address.
  public func stubsEnvironment(
    for stubs: [StubEndpoint],
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) -> [String: String] {
    let location = CodeLocation(fileID: fileID, file: file, line: line, column: column)
    use(at: location)
    var passed: [PortableStub] = []
    for stub in stubs {
      do throws(StubError) {
        passed.append(try PortableStub(stub, folder: stubFolder))
      } catch {
        report(.invalidStub, "The stub \(stub) can't be passed to the app: \(error).", at: location)
        state.withLock { $0.stubs.passed = nil }
        return StubsInEnvironment.unusable
      }
    }
    let all = state.withLock { state in
      // A stub that is passed again becomes the latest, and doesn't respond twice.
      state.stubs.passed?.removeAll { passed.contains($0) }
      state.stubs.passed?.append(contentsOf: passed)
      return state.stubs.passed
    }
    guard let all else { return StubsInEnvironment.unusable }
    var address: [String: String] = [:]
    do {
      let table = try StubsInEnvironment.environment(for: all) { data in
        address = endpoint.launchEnvironment
        return server.stubs.store([UInt8](data), of: stubOwner)
      }
      return table.merging(address) { table, _ in table }
    } catch {
      report(
        .invalidStub, "The stubs couldn't be passed to the app: \(error.localizedDescription).", at: location)
      return StubsInEnvironment.unusable
    }
  }
}
