import TestSupport
import TrackingPlan

@testable import TrackingCommand

/// Runs commands of the tool in a folder of the test's own.
class PlanToolTestCase: XCTestCase {
  private(set) var folder = URL(fileURLWithPath: "/")

  override func setUpWithError() throws {
    folder = try temporaryFolder()
  }

  func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

  func write(_ text: String, to name: String) throws {
    let url = folder.appendingPathComponent(name)
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: url)
  }

  func read(_ name: String) throws -> String {
    try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
  }

  /// Runs a command; returns its exit code and its output, without the folder's name.
  @discardableResult
  func run(_ words: String...) -> (code: Int32, output: String, error: String) { run(words) }

  func run(_ words: [String]) -> (code: Int32, output: String, error: String) {
    var (output, error) = ("", "")
    let code = Command.run(
      words, output: .init(standard: { output += $0 }, error: { error += $0 }))
    return (code, output.replacing(folder.path + "/", with: ""), error.replacing(folder.path + "/", with: ""))
  }

  /// Observes events as a verifier's stop does, checked against the folder's `plan.json` unless `plan` says otherwise.
  func observe(
    _ test: String, in name: String = "observed", _ events: [(TrackingEvent, isMatched: Bool)],
    checkedAgainst plan: String? = "plan.json"
  ) throws {
    let observation = observation(test, events, checkedAgainst: plan)
    try ObservationFolder(folder.appendingPathComponent(name)).append(observation)
  }

  func observation(
    _ test: String, _ events: [(TrackingEvent, isMatched: Bool)], checkedAgainst plan: String? = "plan.json"
  ) -> Observation {
    let collector = ObservationCollector()
    for (event, isMatched) in events { collector.add(event, isMatched: isMatched) }
    var observation = collector.observation(id: ObservationFolder.nextID(), test: test)
    observation.plan = plan.flatMap { try? TrackingPlan(contentsOf: folder.appendingPathComponent($0)).identity }
    return observation
  }

  /// The digest of a plan in the folder.
  func digest(of plan: String = "plan.json") throws -> String {
    try TrackingPlan(contentsOf: folder.appendingPathComponent(plan)).identity.digest
  }
}

/// A plan whose lines are easy to count.
let shop = """
  {
    "plan": "Shop",
    "events": {
      "added": {
        "params": {
          "id": { "type": "string" },
          "source": {
            "enum": [
              "list",
              "search"
            ],
            "optional": true
          },
          "gift": { "type": "boolean" }
        }
      },
      "opened": { "params": {} },
      "failed": { "params": { "items": { "type": "array", "items": { "type": "object", "properties": { "n": { "type": "integer" } } } } } },
      "debug": { "params": {}, "coverage": false }
    }
  }
  """
