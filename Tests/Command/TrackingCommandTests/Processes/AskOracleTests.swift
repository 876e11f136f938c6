import Foundation
@testable import TrackingCommand
import TrackingServer
import TrackingVerifier
import XCTest

/// Random questions in JSON and in Swift, asked of one random timeline: a runner's answer is a verifier's, with its text.
final class AskOracleTests: XCTestCase {
  private var random = SplitMix(state: 0)
  private var server = TrackingServer()
  private var verifier: TrackingVerifier?
  private var service: AskService?

  /// An event or a request in both forms.
  private typealias Entry = (json: TrackingValue, swift: EntryPattern)

  func testARandomQuestionHasTheAnswerOfAVerifier() throws {
    let count = ProcessInfo.processInfo.environment["ORACLES"] == "full" ? 100_000 : 2_000
    var kinds: [String: Int] = [:]
    for seed in 0..<count {
      // A failure looks at the whole journal.
      if seed.isMultiple(of: 10) { try begin() }
      let (verifier, service) = (try XCTUnwrap(self.verifier), try XCTUnwrap(self.service))
      random = SplitMix(state: UInt64(seed))
      let mark = (verifier.mark(), try members(service, "marks", [:])["mark"])
      for _ in 0..<pick(6) {
        verifier.tracker.trackEvent(TrackingEvent(name: name(), params: pick(2) == 0 ? [:] : ["n": .int(pick(3))]))
      }
      let (json, question) = self.question()
      let outcome = verifier.wait(for: question, since: mark.0)
      // An absence for a time has no timeout.
      let more: [String: TrackingValue] = json["within"] == nil ? ["timeout": 0] : [:]
      let answer = try members(service, "ask", json.merging(more) { $1 }.merging(["since": mark.1 ?? .null]) { $1 })
      let text = "\(seed): \(TrackingValue.object(json))"
      XCTAssertEqual(answer["passed"], .bool(outcome.isVerified), text)
      XCTAssertEqual(answer["kind"], outcome.failure.map { .string("\($0.kind)") }, text)
      XCTAssertEqual(timeless(answer["message"]), timeless(outcome.failure.map { .string($0.message) }), text)
      kinds[outcome.failure.map { "\($0.kind)" } ?? "passed", default: 0] += 1
    }
    // The cases aren't all alike.
    XCTAssertGreaterThan(kinds.count, 4, "\(kinds)")
    XCTAssertTrue(kinds.values.allSatisfy { $0 > count / 200 }, "\(kinds)")
  }

  private func begin() throws {
    server.stop()
    server = TrackingServer()
    try server.start()
    verifier = TrackingVerifier(
      with: self, server: server, configuration: .init(timeout: 0, settling: 0, checksAtStop: [], reporter: Failures()))
    service = AskService(about: server, plan: nil) { ([:], nil) }
  }

  private func question() -> (json: [String: TrackingValue], swift: Verification) {
    let entries = (0...pick(3)).map { _ in entry() }
    let (json, swift) = (TrackingValue.array(entries.map(\.json)), entries.map(\.swift))
    let (least, more) = (pick(3), pick(2))
    switch pick(9) {
    case 0: return (["inOrder": json], .inOrder(swift))
    case 1: return (["inAnyOrder": json], .inAnyOrder(swift))
    case 2: return (["consecutive": json], .consecutive(swift))
    case 3: return (["none": entries[0].json, "within": 0], .none(of: swift[0], within: 0))
    case 4:
      return (["none": entries[0].json, "before": entry(named: "b").json], .none(of: swift[0], before: .named("b")))
    case 5:
      return (
        ["noDuplicates": ["within": 0.002, "ignoring": json]],
        .noDuplicates(within: 0.002, ignoring: swift)
      )
    case 6: return (["noDuplicates": ["within": 0.002]], .noDuplicates(within: 0.002))
    case 7:
      guard case .object(let members) = entries[0].json else { return question() }
      return (
        members.merging(["count": ["atLeast": .int(least), "atMost": .int(least + more)]]) { $1 },
        .count(least...(least + more), of: swift[0])
      )
    default:
      guard case .object(let members) = entries[0].json else { return question() }
      return (members.merging(["count": .int(least)]) { $1 }, .count(least, of: swift[0]))
    }
  }

  private func entry(named given: String? = nil) -> Entry {
    let name = given ?? name()
    guard given == nil, pick(2) == 0 else { return (["event": .string(name)], .named(name)) }
    let number = pick(3)
    return (["event": .string(name), "params": ["n": .int(number)]], .named(name, params: ["n": .equal(to: number)]))
  }

  private func name() -> String { ["a", "b", "c"][pick(3)] }

  private func pick(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

  /// The members of the service's answer, looked for until it is known.
  private func members(
    _ service: AskService, _ name: String, _ body: [String: TrackingValue]
  ) throws -> [String: TrackingValue] {
    var answer = service.answer(
      HTTPRequest(
        method: "POST", path: "\(AskService.path)\(name)",
        headers: ["Authorization": "Bearer \(service.token)", "Content-Type": "application/json"],
        body: try JSONEncoder().encode(TrackingValue.object(body))))
    while true {
      switch answer {
      case .work(let make), .wait(_, _, let make): answer = make()
      case .response(let response):
        return try JSONDecoder().decode([String: TrackingValue].self, from: Data(try XCTUnwrap(response.content)))
      }
    }
  }

  private func timeless(_ message: TrackingValue?) -> String {
    guard case .string(let text)? = message else { return "" }
    return text.replacing(/[-+]?[0-9.]+ m?s\b/, with: "N").replacing(/\s+/, with: " ")
  }

  private final class Failures: FailureReporter {
    func report(_ failure: VerificationFailure) {}
  }

  private struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var z = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
      z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
      return z ^ (z >> 31)
    }
  }
}
