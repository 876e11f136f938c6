import TrackingModel

/// Compares the fields of queries and forms.
enum FieldComparison {
  /// How a request's query differs.
  static func differences(of request: StubRequest, from condition: QueryCondition) -> [StubDifference] {
    switch condition {
    case .ignored: []
    case .exact(let wanted): differences(of: request.query, from: wanted, "query", isExact: true)
    case .subset(let wanted): differences(of: request.query, from: wanted, "query", isExact: false)
    case .exactItems(let wanted):
      request.query == wanted
        ? []
        : [
          StubDifference(
            "the query is \(StubDifference.quoted("\(request.query)")), not \(StubDifference.quoted("\(wanted)"))",
            weight: 0.3)
        ]
    }
  }

  /// How fields differ from those that are wanted.
  static func differences(of fields: FormFields, from wanted: [String: String], _ place: String, isExact: Bool)
    -> [StubDifference]
  {
    var differences: [StubDifference] = []
    for (name, value) in wanted.sorted(by: { $0.key < $1.key }) {
      let found = fields.values(of: name)
      if isExact ? found == [value] : found.contains(value) { continue }
      let words = found.isEmpty ? "is missing" : "is \(found.map(StubDifference.quoted).joined(separator: " and "))"
      differences.append(
        StubDifference(
          "\(name) in the \(place) \(words), not \(StubDifference.quoted(value))", weight: found.isEmpty ? 0.2 : 0.1))
    }
    guard isExact else { return differences }
    var others: Set<String> = []
    for item in fields.items where wanted[item.name] == nil && others.insert(item.name).inserted {
      differences.append(StubDifference("\(StubDifference.shortened(item.name)) is in the \(place), too", weight: 0.1))
    }
    return differences
  }
}
