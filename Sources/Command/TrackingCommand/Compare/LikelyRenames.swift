import TrackingJSON
import TrackingModel
import TrackingPlan

/// Pairs a lost and a gained name that are most likely one renamed event or param.
enum LikelyRenames {
  /// The minimum share of params that two events must have in common.
  private static let leastSimilarity = 0.75
  /// The maximum share by which two names may differ.
  private static let mostDifference = 0.5

  /// Pairs events whose params, and counts in each test or name, are nearly the same.
  static func events(
    from lost: [TextKey], of base: ObservedRun, to gained: [TextKey], of head: ObservedRun, in tests: [String]
  ) -> [TextKey: TextKey] {
    let (before, after) = (base.events(in: tests), head.events(in: tests))
    return pairs(lost, gained) { name, newName in
      guard let old = before[name], let new = after[newName] else { return nil }
      let isAsOften = tests.allSatisfy {
        base.tests[$0]?.events[name]?.count == head.tests[$0]?.events[newName]?.count
      }
      let difference = EditDistance.share(ofNames: name.text, newName.text)
      let similarity = old.signature.isEmpty && new.signature.isEmpty ? 1 : similarity(old.signature, new.signature)
      guard similarity >= leastSimilarity else { return nil }
      // Without params, the name must decide.
      guard difference <= mostDifference || isAsOften && !old.signature.isEmpty else { return nil }
      return similarity + (isAsOften ? 1 : 0) - difference
    }
  }

  /// Pairs params of one event with the same parent, kinds and number in each test, and nearly the same name or the same values.
  static func params(
    from lost: [JSONPath: [(test: String, param: ObservedEvents.Param)]],
    to gained: [JSONPath: [(test: String, param: ObservedEvents.Param)]]
  ) -> [JSONPath: JSONPath] {
    pairs(lost.keys.sorted(), gained.keys.sorted()) { path, newPath in
      guard let old = lost[path], let new = gained[newPath], old.map(\.test) == new.map(\.test),
        path.holder == newPath.holder, path.isElement == newPath.isElement,
        zip(old, new).allSatisfy({ $0.param.seen == $1.param.seen && $0.param.comparedKinds == $1.param.comparedKinds })
      else { return nil }
      let hasValues = zip(old, new).allSatisfy { $0.param.values == $1.param.values && !$0.param.hasMore }
      let isTelling = hasValues && old.contains { $0.param.values.contains(where: \.isTelling) }
      let difference = EditDistance.share(ofNames: path.general, newPath.general)
      guard isTelling || difference <= mostDifference else { return nil }
      return (isTelling ? 1 : 0) - difference
    }
  }

  /// The pairs with the highest scores; each name is in one pair at most.
  private static func pairs<Name: Hashable & Comparable>(
    _ lost: [Name], _ gained: [Name], score: (Name, Name) -> Double?
  ) -> [Name: Name] {
    var scored: [(score: Double, old: Name, new: Name)] = []
    for old in lost {
      for new in gained {
        if let score = score(old, new) { scored.append((score, old, new)) }
      }
    }
    scored.sort { ($1.score, $0.old, $0.new) < ($0.score, $1.old, $1.new) }
    var pairs: [Name: Name] = [:]
    var taken: Set<Name> = []
    for (_, old, new) in scored where pairs[old] == nil && taken.insert(new).inserted { pairs[old] = new }
    return pairs
  }

  /// The share of two sets that they have in common.
  static func similarity(_ a: Set<TextKey>, _ b: Set<TextKey>) -> Double {
    Double(a.intersection(b).count) / Double(max(1, a.union(b).count))
  }
}

extension ObservedEvents.Event {
  fileprivate var signature: Set<TextKey> {
    Set(params.map { TextKey("\($0.escaped): \($1.comparedKinds.sorted().joined(separator: " "))") })
  }
}

extension TrackingValue {
  /// Whether two params with this value are likely the same; flags, 0, 1 and empty texts are too common.
  fileprivate var isTelling: Bool {
    switch self {
    case .string(let text): !text.isEmpty
    case .int(let number): !(0...1).contains(number)
    case .unsigned, .double: true
    case .null, .bool, .array, .object: false
    }
  }
}
