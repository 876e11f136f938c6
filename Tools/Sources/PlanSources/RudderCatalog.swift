import TrackingPlan
import TrackingPlanKit

/// The data catalogue and the tracking plans of RudderStack's rudder-cli: YAML files of kinds, which refer to one another.
///
/// Facts: rudderstack.com, "Data Catalog and Tracking Plans YAML Reference", of `rudder/v1` and of its predecessor `rudder/0.1`.
struct RudderCatalog {
  private var events: [String: (name: String, description: JSONTree?)] = [:]
  private var properties: [String: JSONTree] = [:]
  private var types: [String: JSONTree] = [:]
  /// Events of calls other than `track`, which have no name.
  private var otherEvents: Set<String> = []
  private var rules: [(file: ForeignPlanReader.File, rule: JSONTree)] = []
  private var name: String?
  /// The parts of the catalogue that a plan has no place for.
  private(set) var losses: [String] = []

  /// - Returns: `nil` when no file is one of rudder-cli.
  init?(_ files: [ForeignPlanReader.File]) throws(PlanError) {
    let files = files.filter { $0.tree["version"]?.string?.hasPrefix("rudder/") == true }
    guard let first = files.first else { return nil }
    for file in files {
      let spec = file.tree["spec"]
      func each(_ key: String) -> [JSONTree] { spec?[key]?.elements ?? [] }
      func definitions(_ key: String, _ what: String) throws(PlanError) -> [(id: String, node: JSONTree)] {
        try each(key).map { node throws(PlanError) in
          guard let id = node["id"]?.string else { throw file.error("\(what) has no id") }
          return (id, node)
        }
      }
      switch file.tree["kind"]?.string {
      case "events":
        for (id, event) in try definitions("events", "an event") {
          if event["event_type"]?.string ?? "track" == "track", let name = event["name"]?.string, !name.isEmpty {
            events[id] = (name, event["description"])
          } else {
            otherEvents.insert(id)
          }
        }
      case "properties":
        for (id, property) in try definitions("properties", "a property") { properties[id] = property }
      case "custom-types":
        for (id, type) in try definitions("types", "a custom type") { types[id] = type }
      case "tracking-plan", "tp":
        name = name ?? spec?["display_name"]?.string
        rules += each("rules").map { (file, $0) }
      default: continue
      }
    }
    guard !rules.isEmpty else { throw first.error("no file of this catalogue is a tracking plan with rules") }
  }

  mutating func plan() throws(PlanError) -> JSONTree {
    var planned: [JSONTree.Member] = []
    for (file, rule) in rules {
      let reference = rule["event"]?.string ?? rule["event"]?["$ref"]?.string
      guard let reference else {
        throw file.error("the rule \(rule["id"]?.string ?? "without an id") names no event")
      }
      guard let event = events[Self.id(reference)] else {
        guard otherEvents.contains(Self.id(reference)) else {
          throw file.error("the event \(reference) is in no file")
        }
        losses.append("\(file.name): the rule for \(reference), which isn't a track call")
        continue
      }
      if rule["variants"] != nil { losses.append("\(file.name): \(event.name): variants") }
      let isOpen = rule["additional_properties"]?.bool ?? rule["event"]?["allow_unplanned"]?.bool ?? false
      planned.append(
        .init(
          event.name,
          [
            "description": event.description, "open": isOpen ? true : nil,
            "params": JSONTree(.object(try params(rule["properties"], file, depth: 0))),
          ]))
    }
    return ["plan": name.map { JSONTree($0) }, "types": try sharedTypes(), "events": JSONTree(.object(planned))]
  }

  private func params(_ list: JSONTree?, _ file: ForeignPlanReader.File, depth: Int) throws(PlanError) -> [JSONTree
    .Member]
  {
    guard depth < 20 else { throw file.error("properties are nested more than 20 levels deep") }
    var members: [JSONTree.Member] = []
    for entry in list?.elements ?? [] {
      guard let reference = entry["property"]?.string ?? entry["$ref"]?.string else {
        throw file.error("a rule's property has no reference")
      }
      guard let property = properties[Self.id(reference)], let name = property["name"]?.string else {
        throw file.error("the property \(reference) is in no file")
      }
      var schema = try self.schema(of: property, file)
      if let nested = entry["properties"] {
        schema.append(.init("properties", JSONTree(.object(try params(nested, file, depth: depth + 1)))))
        if let isOpen = entry["additional_properties"]?.bool {
          schema.append(.init("additionalProperties", JSONTree(.scalar(.bool(isOpen)))))
        }
      }
      if entry["required"]?.bool != true { schema.append(.init("optional", true)) }
      members.append(.init(name, JSONTree(.object(schema))))
    }
    return members
  }

  /// A property or a custom type as a JSON Schema; `config` has the keywords, in snake case since v1.
  private func schema(of definition: JSONTree, _ file: ForeignPlanReader.File) throws(PlanError) -> [JSONTree.Member] {
    var members: [JSONTree.Member] = []
    if let description = definition["description"] { members.append(.init("description", description)) }
    let single = definition["type"]?.string
    if let single, single.hasPrefix("#") {
      guard types[Self.id(single)] != nil else { throw file.error("the custom type \(single) is in no file") }
      return members + [.init("$ref", JSONTree("#/types/\(Self.id(single))"))]
    }
    // v0.1 writes several types as one text: "string, null".
    let several =
      single?.split(separator: ",").map { JSONTree($0.trimmed) } ?? definition["types"]?.elements ?? []
    if several.count == 1 { members.append(.init("type", several[0])) }
    if several.count > 1 { members.append(.init("type", JSONTree(.array(several)))) }
    let items = definition["item_type"].map { [$0] } ?? definition["item_types"]?.elements
    if let items { members.append(.init("items", try Self.items(items))) }
    for member in (definition["config"]?.members ?? []) + (definition["propConfig"]?.members ?? []) {
      switch Self.camelCase(member.key) {
      case "itemTypes": members.append(.init("items", try Self.items(member.value.elements ?? [])))
      case "is_time", "isTime": continue
      case let keyword: members.append(.init(keyword, member.value))
      }
    }
    return members
  }

  private static func items(_ types: [JSONTree]) throws(PlanError) -> JSONTree {
    if let reference = types.first?.string, reference.hasPrefix("#") {
      return ["$ref": JSONTree("#/types/\(id(reference))")]
    }
    return ["type": types.count == 1 ? types[0] : JSONTree(.array(types))]
  }

  private mutating func sharedTypes() throws(PlanError) -> JSONTree? {
    guard !types.isEmpty, let file = rules.first?.file else { return nil }
    var members: [JSONTree.Member] = []
    for (id, type) in types.sorted(by: { $0.key < $1.key }) {
      var schema = try self.schema(of: type, file)
      if type["variants"] != nil { losses.append("\(file.name): the type \(id): variants") }
      if type["properties"] != nil {
        schema.append(.init("properties", JSONTree(.object(try params(type["properties"], file, depth: 0)))))
      }
      members.append(.init(id, JSONTree(.object(schema))))
    }
    return JSONTree(.object(members))
  }

  /// `#event:id` of v1, `#/events/group/id` of v0.1.
  private static func id(_ reference: String) -> String {
    String(reference.split(whereSeparator: { $0 == ":" || $0 == "/" }).last ?? "")
  }

  private static func camelCase(_ key: String) -> String {
    let parts = key.split(separator: "_")
    return parts.dropFirst().reduce(parts.first.map(String.init) ?? "") {
      $0 + $1.prefix(1).uppercased() + $1.dropFirst()
    }
  }
}

extension Substring {
  fileprivate var trimmed: String { String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()) }
}
