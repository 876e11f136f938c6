import Foundation
import StorefrontEvents
import StorefrontKit
import StorefrontScenarios
import StubbedSession
import Testing
import TrackingTesting

/// The search screen in the test's own process.
@Suite(.tracking) struct SearchTests {
  private let verifier = TrackingVerifier.current

  @Test("over the server") func server() async throws {
    verifier.stub(.get, "/search", .json([]))
    let search = search(in: RemoteCatalogue(baseURL: verifier.baseURL, session: .shared))
    try await search.load()
    await verifier.wait(for: SearchPerformed(text: "lamp", resultCount: 0))
  }

  @Test("over stubs in the session, without any server") func session() async throws {
    let session = StubbedSession(stubs: LaunchState.screenshots.stubs).urlSession()
    let production = try #require(URL(string: "https://api.storefront.example"))
    let search = search(in: RemoteCatalogue(baseURL: production, session: session))
    try await search.load()
    #expect(search.products?.map(\.name) == ["Brass reading lamp"])
    await verifier.wait(for: SearchPerformed(text: "lamp", resultCount: 1))
  }

  private func search(in catalogue: RemoteCatalogue) -> SearchModel {
    SearchModel(text: "lamp", catalogue: catalogue, tracker: verifier.tracker)
  }
}
