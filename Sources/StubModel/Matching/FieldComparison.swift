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
      request.query.isSame(as: wanted)
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
      if found.contains(where: { $0.isSameText(as: value) }) && !(isExact && found.count > 1) { continue }
      let words = found.isEmpty ? "is missing" : "is \(found.map(StubDifference.quoted).joined(separator: " and "))"
      differences.append(
        StubDifference(
          "\(name) in the \(place) \(words), not \(StubDifference.quoted(value))", weight: found.isEmpty ? 0.2 : 0.1))
    }
    guard isExact else { return differences }
    var others: Set<[UInt8]> = []
    for item in fields.items where !wanted.keys.contains(where: { item.name.isSameText(as: $0) }) {
      // By its bytes, which are hashed in no time whatever they are.
      guard others.insert(Array(item.name.utf8)).inserted else { continue }
      differences.append(StubDifference("\(StubDifference.shortened(item.name)) is in the \(place), too", weight: 0.1))
    }
    return differences
  }
}

extension FormFields {
  /// Whether both have the same items in the same order.
  fileprivate func isSame(as other: FormFields) -> Bool {
    items.elementsEqual(other.items) { $0.name.isSameText(as: $1.name) && $0.value.isSameText(as: $1.value) }
  }
}
