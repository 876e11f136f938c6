import TrackingJSON
import TrackingModel
import TrackingPlan

// Arrays and objects.

extension JSONSchemaContainment {
  /// The schemas of the first items and of the rest.
  private static func items(_ node: JSONTree, _ draft: JSONSchemaDraft) -> (first: [JSONTree], rest: JSONTree) {
    if draft >= .draft2020 { return (node["prefixItems"]?.elements ?? [], node["items"] ?? true) }
    guard let list = node["items"]?.elements else { return ([], node["items"] ?? true) }
    return (list, node["additionalItems"] ?? true)
  }

  func arrays(_ a: InnerSchema, _ b: JSONTree, _ place: ComparedPlace) -> [Obstacle] {
    let most = a.most("maxItems")
    var found = counts("minItems", "maxItems", (a.least("minItems"), most), a, b, place)
    if b["uniqueItems"]?.bool == true, !a.having("uniqueItems").contains(where: { $0.bool == true }), most ?? 2 > 1 {
      found.append(place.obstacle("must satisfy uniqueItems true", isCertain: a.isExact))
    }
    let (first, rest) = Self.items(b, outer.entry.draft)
    let given = a.parts.filter { $0.members != nil }.map { Self.items($0, inner.entry.draft) }
    let longest = max(first.count, given.map(\.first.count).max() ?? 0)
    // The last one stands for all further items.
    for index in 0...longest where index < most ?? .max {
      let wanted = index < first.count ? first[index] : rest
      let mine = given.flatMap { inner.parts(of: index < $0.first.count ? $0.first[index] : $0.rest) }
      if wanted.allowsEverything { continue }
      if mine.allSatisfy(\.allowsEverything), index == longest, first.isEmpty {
        found.append(
          place.element.obstacle("elements are constrained in only one of the schemas", isCertain: a.isExact))
      } else {
        found += obstacles(InnerSchema(mine, isExact: a.isExact), wanted, place.element)
      }
    }
    return found.uniqued
  }

  // MARK: Objects

  /// The schemas of a member of the inner schema's objects; contains `false` if it can't be present.
  private func member(_ name: String, of a: InnerSchema) -> InnerSchema {
    var parts: [JSONTree] = []
    var isExact = a.isExact
    for part in a.parts where part.members != nil {
      if part["patternProperties"] != nil { isExact = false }
      if let schema = part["properties"]?[name] {
        parts += inner.parts(of: schema)
      } else if part["patternProperties"] == nil {
        parts += inner.closes(part) ? [false] : part["additionalProperties"].map { inner.parts(of: $0) } ?? []
      }
    }
    return InnerSchema(parts, isExact: isExact)
  }

  func objects(_ a: InnerSchema, _ b: JSONTree, _ place: ComparedPlace) -> [Obstacle] {
    let sure = Set(a.having("required").flatMap { $0.elements ?? [] }.compactMap(\.string))
    // No object is valid if a required member can't be present.
    if sure.contains(where: { name in member(name, of: a).parts.contains { $0.bool == false } }) { return [] }
    let required = Set(b["required"]?.elements?.compactMap(\.string) ?? [])
    let wanted = b["properties"]?.members ?? []
    let given = a.having("properties").flatMap { $0.members ?? [] }.map(\.key)
    let isClosed = outer.closes(b)
    var found: [Obstacle] = []
    for name in wanted.map(\.key) + required.filter({ b["properties"]?[$0] == nil }).sorted() {
      let mine = member(name, of: a)
      let isListed = given.contains { $0.isSameText(as: name) }
      if mine.parts.contains(where: { $0.bool == false }) || ignoresAdded && !isListed && !sure.contains(name) {
        if ignoresAdded {
          found.append(place.member(name).obstacle("was removed", isCertain: true))
        } else if required.contains(name) {
          found.append(place.member(name).obstacle("is required and absent", isCertain: a.isExact))
        }
        continue
      }
      if required.contains(name), !sure.contains(name) {
        found.append(place.member(name).obstacle("is required and may be absent", isCertain: a.isExact))
      }
      if let schema = b["properties"]?[name] { found += obstacles(mine, schema, place.member(name)) }
    }
    guard !ignoresAdded else { return found }
    found += counts(
      "minProperties", "maxProperties", (max(a.least("minProperties"), sure.count), greatestCount(of: a)), a, b, place)
    return found + others(a, b, isClosed: isClosed, place)
  }

  /// The largest number of members, if the inner schema limits it.
  private func greatestCount(of a: InnerSchema) -> Int? {
    let listed = a.parts.filter { isClosed($0) && $0["patternProperties"] == nil }
      .map { $0["properties"]?.members?.count ?? 0 }
    return (listed + [a.most("maxProperties")].compactMap { $0 }).min()
  }

  private func isClosed(_ part: JSONTree) -> Bool {
    part["additionalProperties"]?.bool == false || inner.closes(part)
  }

  /// The members that the outer schema doesn't list.
  private func others(_ a: InnerSchema, _ b: JSONTree, isClosed: Bool, _ place: ComparedPlace) -> [Obstacle] {
    let rest: JSONTree = isClosed ? false : b["additionalProperties"] ?? true
    guard !rest.allowsEverything || b["patternProperties"] != nil else { return [] }
    if let patterns = b["patternProperties"] {
      let isSame =
        sharesTypes
        && a.parts.contains { part in
          ["properties", "patternProperties", "additionalProperties"].allSatisfy { part[$0]?.value == b[$0]?.value }
        }
      return isSame
        ? []
        : [
          place.obstacle(
            a.having("patternProperties").contains { $0.value == patterns.value }
              ? "patternProperties and other members differ" : "patternProperties differs", isCertain: false)
        ]
    }
    var found: [Obstacle] = []
    let listed = a.having("properties").flatMap { $0.members ?? [] }.map(\.key)
    for name in listed where b["properties"]?[name] == nil {
      let mine = member(name, of: a)
      guard !mine.parts.contains(where: { $0.bool == false }) else { continue }
      if rest.bool == false {
        found.append(place.member(name).obstacle("is not in the plan", isCertain: mine.isExact))
      } else {
        found += obstacles(mine, rest, place.member(name))
      }
    }
    let isOpen = !a.parts.contains { self.isClosed($0) && $0["patternProperties"] == nil }
    if isOpen {
      // Names that neither schema lists.
      var parts: [JSONTree] = []
      for part in a.parts where part["patternProperties"] == nil {
        parts += part["additionalProperties"].map { inner.parts(of: $0) } ?? []
      }
      let isExact = a.isExact && a.having("patternProperties").isEmpty
      if rest.bool == false {
        found.append(place.obstacle("further params are not allowed", isCertain: isExact))
      } else {
        found += obstacles(InnerSchema(parts, isExact: isExact), rest, place.member("*"))
      }
    }
    return found
  }
}
