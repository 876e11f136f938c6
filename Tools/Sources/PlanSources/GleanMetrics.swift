import TrackingPlan
import TrackingPlanKit

/// The events of Mozilla's Glean: `metrics.yaml`, a mapping of categories, each a mapping of metrics.
///
/// Facts: mozilla.github.io/glean, "Metrics YAML Registry Format" and "Events". Metrics of other types aren't events and are left out.
struct GleanMetrics {
  private let files: [ForeignPlanReader.File]

  /// - Returns: `nil` when no file is one of Glean.
  init?(_ files: [ForeignPlanReader.File]) {
    self.files = files.filter {
      $0.tree["$schema"]?.string?.hasPrefix("moz://mozilla.org/schemas/glean/metrics/") == true
    }
    if self.files.isEmpty { return nil }
  }

  var plan: JSONTree {
    get throws(PlanError) {
      var planned: [JSONTree.Member] = []
      for file in files {
        for category in file.tree.members ?? [] where !category.key.hasPrefix("$") && category.key != "no_lint" {
          for metric in category.value.members ?? [] where metric.value["type"]?.string == "event" {
            // Glean sends category and name apart, and joins them with a dot wherever it shows them.
            planned.append(.init("\(category.key).\(metric.key)", try Self.event(metric, file)))
          }
        }
      }
      guard !planned.isEmpty else { throw files[0].error("no metric has the type event") }
      return ["events": JSONTree(.object(planned))]
    }
  }

  private static func event(_ metric: JSONTree.Member, _ file: ForeignPlanReader.File) throws(PlanError) -> JSONTree {
    var params: [JSONTree.Member] = []
    for key in metric.value["extra_keys"]?.members ?? [] {
      let type = key.value["type"]?.string ?? "string"
      guard ["string", "boolean", "quantity"].contains(type) else {
        throw file.error(
          "\(metric.key): the extra \(key.key) has the type \(type); expected string, boolean or quantity")
      }
      let schema: JSONTree = [
        // An extra may always be left out.
        "optional": true, "description": (key.value["description"]?.string).map { JSONTree($0.joined) },
        "type": type == "quantity" ? "integer" : JSONTree(type), "minimum": type == "quantity" ? 0 : nil,
      ]
      params.append(.init(key.key, schema))
    }
    let expires = metric.value["expires"]?.string
    return [
      "description": (metric.value["description"]?.string).map { JSONTree($0.joined) },
      "owner": metric.value["notification_emails"]?.elements?.first,
      // `never`, a date, or a version of the app, which isn't a date.
      "expires": expires.flatMap { $0.wholeMatch(of: /\d{4}-\d{2}-\d{2}/) != nil ? JSONTree($0) : nil },
      "deprecated": expires == "expired" ? true : nil,
      "params": JSONTree(.object(params)),
    ]
  }
}

extension String {
  /// A text of several lines in one.
  var joined: String { split(whereSeparator: \.isWhitespace).joined(separator: " ") }
}
