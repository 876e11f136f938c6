import Foundation
import StubModel
import TrackingServer

extension TrackingVerifier {
  /// All requests except accepted submissions of events, since the verifier began or was reset, in the order of arrival.
  public var requests: [RecordedRequest] {
    journal.requests(since: beginning)
  }

  /// The requests among them that neither a stub nor the server itself serves.
  public var unmatchedRequests: [RecordedRequest] {
    requests.filter(\.isUnmatched)
  }

  /// What hands stubs over to an app that answers its requests itself, through `StubbedSession`: to be put into the environment of the app before it is
  /// launched.
  ///
  /// ```swift
  /// app.launchEnvironment.merge(verifier.stubsEnvironment(for: [StubEndpoint(.get, "/users", .json(["posts": 5]))])) { $1 }
  /// ```
  ///
  /// No value holds an equals sign. Files travel as their content; a table that is too large for an environment is written to a temporary file, which is
  /// removed at the stop. Stubs that cannot be used fail the test at the line of the call, and every request of the app that is launched all the same.
  public func stubsEnvironment(
    for stubs: [StubEndpoint],
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) -> [String: String] {
    stopAtTheEndOfTheTest()
    let location = CodeLocation(fileID: fileID, file: file, line: line, column: column)
    var standalone: [StubEndpoint] = []
    for stub in stubs {
      do throws(StubError) {
        standalone += try StubsHandOver.standalone([stub], folder: stubFolder)
      } catch {
        report(.invalidStub, "The stub \(stub) cannot be handed over to the app: \(error).", at: location)
        return StubsHandOver.unusable
      }
    }
    do {
      return try StubsHandOver.environment(for: standalone) { temporaryFile() }
    } catch {
      report(
        .invalidStub, "The stubs could not be handed over to the app: \(error.localizedDescription).", at: location)
      return StubsHandOver.unusable
    }
  }

  /// The same for the stubs of a scenario.
  public func stubsEnvironment(
    for scenario: some StubScenario,
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) -> [String: String] {
    stubsEnvironment(for: scenario.stubs, fileID: fileID, file: file, line: line, column: column)
  }

  private func temporaryFile() -> URL {
    let url = FileManager.default.temporaryDirectory.appending(path: "TrackingStubs-\(UUID().uuidString).json")
    state.withLock { $0.temporaryFiles.append(url) }
    return url
  }

  /// Removes what was handed over by file.
  func removeTemporaryFiles() {
    let files = state.withLock { state in
      defer { state.temporaryFiles = [] }
      return state.temporaryFiles
    }
    for file in files { try? FileManager.default.removeItem(at: file) }
  }
}
