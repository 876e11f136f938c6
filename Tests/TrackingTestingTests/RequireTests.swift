import Testing
import TestSupport
import TrackingAudit
import TrackingPlan
import TrackingTesting

@Suite(.tracking(.init(timeout: 0)))
struct RequireTests {
  private var verifier: TrackingVerifier { .current }

  @Test("each form returns its match, with its type")
  func theFormsReturnTheirMatches() async throws {
    let wanted = AddedToCart(productID: "42", quantity: 2)
    verifier.tracker.track(AddedToCart(productID: "41", quantity: 1))
    verifier.tracker.track(wanted)
    verifier.tracker.trackEvent(.tapped)

    let byClosure = try await verifier.require(.typed(AddedToCart.self) { $0.quantity == 2 && $0.productID != "41" })
    let byType = try await verifier.require(.typed(AddedToCart.self))
    let byValue = try await verifier.require(.equal(to: wanted))
    let byEvent = try await verifier.require(.equal(to: .tapped))
    let byPattern = try await verifier.require(.named("added_to_cart"))
    let byCondition = try await verifier.require(
      .satisfying("two of product 42") {
        $0.name == "added_to_cart" && $0.params["quantity"] == 2 && $0.params.count == 2 && $0.name.count > 1
      })
    #expect(byClosure == wanted)
    #expect(byType.productID == "41")
    #expect(byValue == TrackingEvent(wanted))
    #expect(byEvent == .tapped)
    #expect(byCondition == TrackingEvent(wanted))
    let inOrder = try await verifier.require(.inOrder([.named("added_to_cart"), .named("button_tapped")]))
    #expect(byPattern == TrackingEvent(byType))
    #expect(inOrder.events == [TrackingEvent(byType), .tapped])
    let byAction = try await verifier.require(.named("screen_shown")) {
      verifier.tracker.track(TrackingEvent(name: "screen_shown"))
    }
    #expect(byAction.name == "screen_shown")
  }

  @Test("each form fails once, at its own line, and throws")
  func theFormsFailAtTheirLines() async {
    let verifier = verifier
    var lines: [Int] = []
    func expectToThrow(line: Int = #line, _ requirement: () async throws -> Void) async {
      lines.append(line)
      // Not `#expect(throws:)`: in the expansion of a macro every `#line` is that of the macro.
      do {
        try await requirement()
        Issue.record("it did not throw")
      } catch {
        #expect(error is RequirementFailure)
      }
    }
    let issues = await issues {
      await expectToThrow { _ = try await verifier.require(.typed(AddedToCart.self) { $0.quantity > 1 }) }
      await expectToThrow { _ = try await verifier.require(.typed(AddedToCart.self)) }
      await expectToThrow { try await verifier.require(.equal(to: AddedToCart(productID: "42", quantity: 2))) }
      await expectToThrow { try await verifier.require(.equal(to: .tapped)) }
      await expectToThrow { _ = try await verifier.require(.named("screen_view")) }
      await expectToThrow { _ = try await verifier.require(.inOrder([.named("a"), .named("b")])) }
      await expectToThrow { _ = try await verifier.require(.named("screen_view")) { await Task.yield() } }
      await expectToThrow { _ = try await verifier.require(.inOrder([.named("a")])) {} }
    }
    #expect(issues.map(\.sourceLocation?.line) == lines)
  }

  @Test("mutants know that a test can't continue without what it has required")
  func whatIsRequiredIsReturned() async throws {
    let verifier = TrackingVerifier(
      configuration: changed(TrackingVerifier.Configuration(timeout: 0)) { $0.mutations = .always }, host: nil,
      reporter: RecordingReporter())
    verifier.tracker.track(AddedToCart(productID: "42", quantity: 2))
    verifier.tracker.trackEvent(.tapped)
    let added = try await verifier.require(.named("added_to_cart"))
    await verifier.wait(for: .named("button_tapped"))
    verifier.stop()
    #expect(added.params["quantity"] == 2)
    let events = try #require(verifier.mutants.flatMap { MutationReport($0) }?.events)
    #expect(events["added_to_cart"]?.params["quantity"]?.pinned == .returned)
    #expect(events["button_tapped"]?.params["screen"]?.pinned == .discarded)
  }
}
