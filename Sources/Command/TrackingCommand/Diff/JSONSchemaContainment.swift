import TrackingJSON
import TrackingModel
import TrackingPlan

/// Looks for values that are valid against one schema and invalid against another one.
///
/// No obstacle means a proof that there are none: each type of value is compared by the keywords that concern it, and a keyword that isn't
/// understood must be the same in both schemas. An obstacle is certain only if nothing on the way to it restricts the inner schema's values
/// in a way that isn't understood.
struct JSONSchemaContainment {
  /// The reason why a value of the inner schema may be invalid against the outer one.
  struct Obstacle: Equatable {
    let path: String
    let reason: String
    /// `false` if the schemas can't be compared in this respect.
    var isCertain: Bool
  }

  let inner: SchemaOwner
  let outer: SchemaOwner
  /// Whether members that the outer schema doesn't list are ignored, as reports do.
  let ignoresAdded: Bool
  /// Whether the references of the inner schema lead to equal schemas in both plans, so that equal schemas mean the same.
  let sharesTypes: Bool

  init(inner: SchemaOwner, outer: SchemaOwner, ignoresAdded: Bool) {
    self.inner = inner
    self.outer = outer
    self.ignoresAdded = ignoresAdded
    sharesTypes =
      inner.entry.draft == outer.entry.draft && inner.plan.format == outer.plan.format
      && inner.plan.closesObjects == outer.plan.closesObjects && inner.sharesTargets(with: outer)
  }

  /// Returns the reasons why the inner schema may not be contained in the outer one; empty only if it is.
  func obstacles() -> [Obstacle] {
    func schema(_ owner: SchemaOwner) -> JSONTree {
      owner.plan.format == .trackingPlan ? OwnFormat.completed(owner.entry.params) : owner.entry.params
    }
    return obstacles(
      InnerSchema(inner.parts(of: schema(inner)), types: .object), schema(outer), ComparedPlace(path: "", depth: 0))
  }

  static let deepest = 24

  func obstacles(_ a: InnerSchema, _ outerNode: JSONTree, _ place: ComparedPlace) -> [Obstacle] {
    guard place.depth < Self.deepest else {
      return [place.obstacle("is nested too deeply to compare", isCertain: false)]
    }
    if a.parts.contains(where: { $0.bool == false }) || a.types.isEmpty { return [] }
    return outer.parts(of: outerNode).flatMap { part in part.allowsEverything ? [] : obstacles(a, part: part, place) }
  }

  func obstacles(_ a: InnerSchema, part b: JSONTree, _ place: ComparedPlace) -> [Obstacle] {
    guard b.members != nil else {
      return [place.obstacle("allows fewer values", isCertain: a.isExact)]
    }
    if let values = finiteValues(of: a) { return obstacles(of: values, a, b, place) }
    if sharesTypes, !ignoresAdded, a.parts.contains(where: { $0.value == b.value }) { return [] }
    // Each alternative is compared separately.
    for (word, isExact) in [("anyOf", true), ("oneOf", false)] {
      guard let alternatives = a.having(word).first?.elements, place.depth < Self.deepest - 8 else { continue }
      let whole = obstacles(a.removing(word), part: b, place)
      guard !whole.isEmpty else { return [] }
      if word == "oneOf", let other = b[word] {
        // Alternatives that exclude each other are compared only as a whole.
        let isSame = sharesTypes && a.having(word).contains { $0.value == other.value }
        let rest = obstacles(a, part: b.removing([word]), place)
        return isSame ? rest : rest + [place.obstacle("oneOf differs", isCertain: false)]
      }
      return alternatives.flatMap { alternative in
        obstacles(
          // Further lists of alternatives are left out, so they don't restrict the values here.
          a.removing(word).adding(inner.parts(of: alternative), isExact: isExact && a.having(word).count == 1), part: b,
          ComparedPlace(path: place.path, depth: place.depth + 2))
      }.uniqued
    }
    let types = types(a, b, place)
    guard types.isEmpty else { return types }
    if let listed = b.listedValues {
      return [place.obstacle("may be any value, not only the \(listed.count) in the list", isCertain: a.isExact)]
    }
    var found: [Obstacle] = []
    if !a.types.isDisjoint(with: .number) { found += numbers(a, b, place) }
    if a.types.contains(.string) { found += strings(a, b, place) }
    if a.types.contains(.array) { found += arrays(a, b, place) }
    if a.types.contains(.object) { found += objects(a, b, place) }
    return found + combinations(a, b, place)
  }

  // MARK: Values

  /// The values of the inner schema, and possibly further ones that it excludes; `nil` if there are too many.
  private func finiteValues(of a: InnerSchema) -> [TrackingValue]? {
    if let listed = a.parts.compactMap(\.listedValues).min(by: { $0.count < $1.count }) { return listed }
    guard a.types.isSubset(of: [.null, .boolean, .integer]) else { return nil }
    var values: [TrackingValue] = []
    if a.types.contains(.null) { values.append(.null) }
    if a.types.contains(.boolean) { values += [true, false] }
    if a.types.contains(.integer) {
      let range = a.range(inner.entry.draft)
      guard let low = range.low?.integer, let high = range.high?.integer else { return nil }
      guard low <= high else { return values }
      let (width, overflows) = high.subtractingReportingOverflow(low)
      guard !overflows, width < 200 else { return nil }
      values += (low...high).map { .int($0) }
    }
    return values
  }

  func obstacles(
    of values: [TrackingValue], _ a: InnerSchema, _ b: JSONTree, _ place: ComparedPlace
  ) -> [Obstacle] {
    var isCertain = a.isExact
    let left = values.filter { value in
      guard a.types.contains(JSONSchemaTypes(of: value)), outer.isValid(value, against: b) != true else { return false }
      let isGiven = a.parts.map { inner.isValid(value, against: $0) }
      if isGiven.contains(nil) { isCertain = false }
      return !isGiven.contains(false)
    }
    guard !left.isEmpty else { return [] }
    if ignoresAdded, left.contains(where: { $0.holdsMembers }) { isCertain = false }
    let (noun, verb) = left.count == 1 ? ("value", "is") : ("values", "are")
    return [
      place.obstacle(
        "the \(noun) \(left.map(\.description).listed(most: 5)) \(verb) "
          + (b.listedValues == nil ? "not valid" : "not in the list"),
        isCertain: isCertain)
    ]
  }

  private func types(_ a: InnerSchema, _ b: JSONTree, _ place: ComparedPlace) -> [Obstacle] {
    let left = a.types.subtracting(b.types)
    guard !left.isEmpty else { return [] }
    let wanted = b.types.words.joined(separator: " or ")
    let reason =
      a.types == .all
      ? "may be of any type, not only \(wanted)" : "may be \(left.words.joined(separator: " or ")), not only \(wanted)"
    return [
      place.obstacle(reason, isCertain: a.isExact && left.single.contains { !isEmpty($0, a) })
    ]
  }

  /// Whether bounds leave no value of a type.
  private func isEmpty(_ type: JSONSchemaTypes, _ a: InnerSchema) -> Bool {
    switch type {
    case .string: a.most("maxLength").map { $0 < a.least("minLength") } ?? false
    case .array: a.most("maxItems").map { $0 < a.least("minItems") } ?? false
    case .object: a.most("maxProperties").map { $0 < a.least("minProperties") } ?? false
    case .integer, .fraction:
      if let low = a.range(inner.entry.draft).low, let high = a.range(inner.entry.draft).high {
        // A fraction between two bounds isn't looked for.
        type == .fraction || !(low.value < high.value)
      } else {
        false
      }
    default: false
    }
  }

  private func numbers(_ a: InnerSchema, _ b: JSONTree, _ place: ComparedPlace) -> [Obstacle] {
    let (given, wanted) = (a.range(inner.entry.draft), NumberRange(b, outer.entry.draft))
    let isInteger = !a.types.contains(.fraction)
    var found: [Obstacle] = []
    func add(_ reason: String, isCertain: Bool) {
      found.append(place.obstacle(reason, isCertain: isCertain && a.isExact))
    }
    if isInteger, let least = given.low?.integer, let greatest = given.high?.integer, greatest < least { return [] }
    for (wanted, mine, opposite) in [(wanted.low, given.low, given.high), (wanted.high, given.high, given.low)] {
      guard let wanted else { continue }
      let isWithin =
        if isInteger, let nearest = mine?.integer, let bound = wanted.integer {
          wanted.isLow ? bound <= nearest : nearest <= bound
        } else {
          mine.map(wanted.admits) ?? false
        }
      if !isWithin {
        add(
          "\(wanted.text) is stricter than \(mine?.text.number ?? "none")",
          isCertain: given.multiple == nil && opposite == nil || mine == nil)
      }
    }
    if let unit = wanted.multiple, let divisor = JSONSchemaNumber(unit.value) {
      let mine = given.multiple.flatMap { JSONSchemaNumber($0.value) }
      let isWithin =
        mine?.isMultiple(of: divisor) ?? (isInteger && JSONSchemaNumber(.int(1))?.isMultiple(of: divisor) == true)
      if !isWithin {
        add(
          mine == nil ? "must satisfy multipleOf \(unit.value)" : "multipleOf differs",
          isCertain: mine == nil && given.low == nil && given.high == nil)
      }
    }
    return found
  }

  /// Compares counts of characters, items or members.
  func counts(
    _ least: String, _ most: String, _ given: (least: Int, most: Int?), _ a: InnerSchema, _ b: JSONTree,
    _ place: ComparedPlace
  ) -> [Obstacle] {
    if let highest = given.most, highest < given.least { return [] }
    var found: [Obstacle] = []
    func add(_ word: String, _ wanted: Int) {
      let other = a.having(word).first?.value.description ?? "none"
      found.append(
        place.obstacle(
          "\(word) \(wanted) is stricter than \(other)", isCertain: a.isExact && a.having("pattern").isEmpty))
    }
    if let wanted = b.count(least), given.least < wanted { add(least, wanted) }
    if let wanted = b.count(most), given.most.map({ $0 > wanted }) ?? true { add(most, wanted) }
    return found
  }

  private func strings(_ a: InnerSchema, _ b: JSONTree, _ place: ComparedPlace) -> [Obstacle] {
    var found = counts("minLength", "maxLength", (a.least("minLength"), a.most("maxLength")), a, b, place)
    let isFree = a.parts.allSatisfy { part in
      ["pattern", "format", "minLength", "maxLength"].allSatisfy { part[$0] == nil }
    }
    for word in ["pattern", "format"] {
      guard let wanted = b[word]?.string, word == "pattern" || StringFormat(rawValue: wanted) != nil,
        !a.having(word).contains(where: { $0.string == wanted })
      else { continue }
      found.append(
        place.obstacle(
          a.having(word).isEmpty ? "must satisfy \(word) \(JSONTree.quoted(wanted))" : "\(word) differs",
          isCertain: a.isExact && isFree && wanted.contains { $0 != "." && $0 != "*" }))
    }
    return found
  }
}

struct ComparedPlace {
  let path: String
  let depth: Int

  func member(_ name: String) -> ComparedPlace {
    ComparedPlace(path: path.isEmpty ? name : "\(path).\(name)", depth: depth + 1)
  }
  var element: ComparedPlace { ComparedPlace(path: path + "[]", depth: depth + 1) }

  func obstacle(_ reason: String, isCertain: Bool) -> JSONSchemaContainment.Obstacle {
    .init(path: path, reason: reason, isCertain: isCertain)
  }
}

extension [JSONSchemaContainment.Obstacle] {
  /// The obstacles without repetitions, in their order.
  var uniqued: Self {
    reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }
}

extension TrackingValue {
  fileprivate var holdsMembers: Bool {
    switch self {
    case .object: true
    case .array(let values): values.contains { $0.holdsMembers }
    default: false
    }
  }
}

extension String {
  /// The number of `minimum 5`.
  fileprivate var number: String { String(split(separator: " ").last ?? "") }
}
