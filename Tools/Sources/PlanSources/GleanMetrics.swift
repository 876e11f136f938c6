/// The events of Mozilla's Glean: `metrics.yaml`, a mapping of categories, each a mapping of metrics.
///
/// Facts: mozilla.github.io/glean, "Metrics YAML Registry Format" and "Events". Metrics of other types aren't events and are left out.
struct GleanMetrics {
  private let files: [PlanSource.File]

  /// - Returns: `nil` when no file is one of Glean.
  init?(_ files: [PlanSource.File]) {
    self.files = files.filter {
      $0.tree["$schema"]?.string?.hasPrefix("moz://mozilla.org/schemas/glean/metrics/") == true
    }
    if self.files.isEmpty { return nil }
  }

  var plan: PlanTree {
    get throws(PlanSourceError) {
      var planned: [PlanTree.Member] = []
      for file in files {
        for category in file.tree.members ?? [] where !category.key.hasPrefix("$") && category.key != "no_lint" {
          for metric in category.value.members ?? [] where metric.value["type"]?.string == "event" {
            // Glean sends category and name apart, and joins them with a dot wherever it shows them.
            planned.append(.init("\(category.key).\(metric.key)", try Self.event(metric, file)))
          }
        }
      }
      guard !planned.isEmpty else { throw files[0].error("no metric has the type event") }
      return .object(["events": .object(planned)])
    }
  }

  private static func event(_ metric: PlanTree.Member, _ file: PlanSource.File) throws(PlanSourceError) -> PlanTree {
    var params: [PlanTree.Member] = []
    for key in metric.value["extra_keys"]?.members ?? [] {
      let type = key.value["type"]?.string ?? "string"
      // An extra may always be left out.
      var schema: [PlanTree.Member] = [.init("optional", .bool(true))]
      if let description = key.value["description"]?.string {
        schema.append(.init("description", .string(description.joined)))
      }
      switch type {
      case "string", "boolean": schema.append(.init("type", .string(type)))
      case "quantity": schema += [.init("type", .string("integer")), .init("minimum", .number("0"))]
      default:
        throw file.error(
          "\(metric.key): the extra \(key.key) has the type \(type); expected string, boolean or quantity")
      }
      params.append(.init(key.key, .object(schema)))
    }
    let expires = metric.value["expires"]?.string
    return .object([
      "description": (metric.value["description"]?.string).map { .string($0.joined) },
      "owner": metric.value["notification_emails"]?.elements?.first,
      // `never`, a date, or a version of the app, which can't be compared with a day.
      "expires": expires.flatMap { $0.wholeMatch(of: /\d{4}-\d{2}-\d{2}/) != nil ? .string($0) : nil },
      "deprecated": expires == "expired" ? .bool(true) : nil,
      "params": .object(params),
    ])
  }
}

extension String {
  /// A text of several lines in one.
  var joined: String { split(whereSeparator: \.isWhitespace).joined(separator: " ") }
}
