import StorefrontEvents
import StorefrontKit
import StorefrontScenarios
import StubbedSession
import TrackingVerifier
import XCTest

/// The same screens in the test's own process, fed by the verifier's server, or by stubs in the session without any server.
final class InProcessScreenTests: XCTestCase {
  private lazy var verifier: TrackingVerifier = .init(with: self, configuration: .backend)

  func testASearchOverTheServer() async throws {
    verifier.stub(.request(.get, "/search", query: ["q": "lamp"]), .json(file: "search/lamp"))
    let search = search(for: "lamp", in: RemoteCatalogue(baseURL: verifier.baseURL, session: .shared))
    try await search.load()
    XCTAssertEqual(search.products?.map(\.name), ["Desk lamp", "Floor lamp"])
    await verifier.wait(for: SearchPerformed(text: "lamp", resultCount: 2))
    await verifier.wait(for: .request(.get, "/search"), count: 1)
  }

  func testASearchOverStubsInTheSession() async throws {
    let session = StubbedSession(stubs: LaunchState.screenshots.stubs).urlSession()
    let search = search(for: "lamp", in: RemoteCatalogue(baseURL: production, session: session))
    try await search.load()
    XCTAssertEqual(search.products?.map(\.name), ["Brass reading lamp"])
    await verifier.wait(for: SearchPerformed(text: "lamp", resultCount: 1))
  }

  func testAProductThatIsGone() async throws {
    verifier.stub(.get, "/products/:id", .status(404))
    await assertThat(product(in: remote).load, throws: .noProduct(id: 42))
    await verifier.wait(for: TrackingEvent(name: "product_missing", params: [.productID: 42]))
  }

  func testAProductAfterA500() async throws {
    verifier.stub(.get, "/products/:id", [.status(500), .json(file: "products/42")])
    let product = product(in: remote)
    await assertThat(product.load, throws: .trouble(status: 500))
    try await product.load()
    product.appear()
    await verifier.wait(for: .inOrder([.typed(LoadFailed.self), .typed(ProductViewed.self)]))
  }

  func testOfflineWithStubsInTheSession() async throws {
    let session = StubbedSession(stubs: LaunchState.outage.stubs).urlSession()
    let product = product(in: RemoteCatalogue(baseURL: production, session: session))
    await assertThat(product.load, throws: .offline)
    await verifier.wait(for: LoadFailed(screen: "product", reason: .offline))
  }

  private let production = URL(string: "https://api.storefront.example")!

  private var remote: RemoteCatalogue { RemoteCatalogue(baseURL: verifier.baseURL, session: .shared) }

  private func search(for text: String, in catalogue: RemoteCatalogue) -> SearchModel {
    SearchModel(text: text, catalogue: catalogue, tracker: verifier.tracker)
  }

  private func product(in catalogue: RemoteCatalogue) -> ProductModel {
    ProductModel(id: 42, catalogue: catalogue, cart: Cart(), tracker: verifier.tracker)
  }

  private func assertThat(_ load: () async throws -> Void, throws error: CatalogueError, line: UInt = #line) async {
    do {
      try await load()
      XCTFail("it has loaded", line: line)
    } catch let caught {
      XCTAssertEqual(caught as? CatalogueError, error, line: line)
    }
  }
}
