import Foundation
import TrackingJSON
import TrackingModel
import TrackingRules

/// An event in a tracking plan.
public struct PlannedEvent: Sendable {
  /// The event's name, as the app sends it.
  public let name: String
  /// The event's place in the plan.
  public let place: PlanPlace
  /// The event's description in the plan.
  public internal(set) var description: String?
  /// The person or team responsible for the event.
  public internal(set) var owner: String?
  /// The deprecation's reason; empty if the plan gives none, `nil` if the event isn't deprecated.
  public internal(set) var deprecated: String?
  // Read from the schema when the event is requested, since checking doesn't need it.
  /// The event's params in the order of the plan.
  public internal(set) var params: [PlannedParam] = []

  /// The last day on which the event may be sent, as `2027-01-01`.
  package internal(set) var expires: String?
  package internal(set) var isDraft = false
  package internal(set) var countsInCoverage = true
  package internal(set) var sources: [String] = []
  package internal(set) var swiftName: String?
  /// The plan's examples of valid and invalid params.
  package internal(set) var examples: [JSONTree] = []
  package internal(set) var counterexamples: [JSONTree] = []

  /// The event as its format describes it.
  package let node: JSONTree
  /// The root that resolves the schema's references.
  package let root: JSONTree
  package let schema: JSONTree
  package let draft: JSONSchemaDraft
  /// The path of the params in messages: `events.purchase.params`.
  package let path: String
}

extension PlannedEvent {
  /// A rule that forbids the event regardless of its params.
  struct Rule: Sendable {
    let finding: PlanFinding
    /// The last day on which the event may be sent; `nil` if it never may.
    var lastDay: String?

    var applies: Bool { lastDay.map { PlanDay.today > $0 } ?? true }
  }

  /// The rules for the event itself; empty for most events.
  var rules: [Rule] {
    func rule(_ kind: PlanFinding.Kind, _ reason: String, lastDay: String? = nil) -> Rule {
      Rule(finding: PlanFinding(kind: kind, reason: reason, place: place), lastDay: lastDay)
    }
    return [
      deprecated.map { rule(.deprecated, $0.isEmpty ? "the event is deprecated" : "the event is deprecated: \($0)") },
      expires.map { rule(.expired, "the event expired on \($0)", lastDay: $0) },
    ].compactMap(\.self)
  }

  /// The findings about any event of this name that is sent today.
  package var findings: [PlanFinding] { rules.filter(\.applies).map(\.finding) }
}

enum PlanDay {
  /// Today in UTC, as `2027-01-01`.
  static var today: String {
    String(TrackingValue(Date()).description.dropFirst().prefix(10))
  }
}
