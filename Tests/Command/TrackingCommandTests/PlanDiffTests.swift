import TestSupport
import TrackingPlan

@testable import TrackingCommand

final class PlanDiffTests: XCTestCase {
  /// The changes of one event whose params schema is given, in Segment's format, in which a schema is JSON Schema.
  private func changes(
    _ old: String, _ new: String, draft: String = "draft-07", definitions: (String, String) = ("", "")
  ) throws -> [String] {
    func plan(_ schema: String, _ more: String) throws -> TrackingPlan {
      try TrackingPlan(
        text: """
          {"rules": [{"key": "e", "type": "TRACK", "version": 1, "jsonSchema": {\(more)
            "$schema": "http://json-schema.org/\(draft)/schema#", "type": "object",
            "properties": {"properties": {"type": "object", "properties": {"p": \(schema)}}}}}]}
          """)
    }
    return texts(PlanDiff(from: try plan(old, definitions.0), to: try plan(new, definitions.1)))
  }

  /// A line for each change; `!` marks those that break apps.
  private func texts(_ diff: PlanDiff) -> [String] {
    diff.events.flatMap { event in
      (event.kind == .changed ? [] : ["\(event.name): \(event.kind.rawValue)"])
        + event.changes.map { "\($0.breaksApps ? "!" : "")\($0.param): \($0.text)" }
    }
  }

  func testEachKindOfChangeIsSaidAtItsParam() throws {
    for (old, new, expected) in [
      (#"{"type": "integer"}"#, #"{"type": "string"}"#, "!p: type changed from integer to string"),
      (#"{"type": "integer"}"#, #"{"type": ["number", "null"]}"#, "p: type changed from integer to null or number"),
      (#"{"type": "number"}"#, #"{"type": "integer"}"#, "!p: type changed from number to integer"),
      ("{}", #"{"type": "string"}"#, "!p: type changed from any to string"),
      (#"{"enum": ["a", "b"]}"#, #"{"enum": ["b"]}"#, #"!p: lost values: "a""#),
      (#"{"enum": ["a"]}"#, #"{"enum": ["b", "a"]}"#, #"p: new values: "b""#),
      (#"{"const": 1}"#, #"{"enum": [1]}"#, ""),
      (#"{"type": "string"}"#, #"{"enum": ["a"]}"#, #"!p: only these values are allowed: "a""#),
      (#"{"enum": ["a"]}"#, #"{"type": "string"}"#, "p: any value is allowed"),
      ("{}", #"{"deprecated": true}"#, "p: deprecated"),
      (#"{"maxLength": 3}"#, #"{"maxLength": 4}"#, #"p: rules changed from {"maxLength":3} to {"maxLength":4}"#),
      (#"{"pattern": "a"}"#, "{}", #"p: rules changed from {"pattern":"a"} to none"#),
      (#"{"description": "a"}"#, #"{"title": "b"}"#, ""),
      (
        #"{"anyOf": [{"type": "string"}, {"type": "null"}]}"#, #"{"oneOf": [{"type": "string"}, {"type": "null"}]}"#,
        #"!p: rules changed from {"anyOf":[{"type":"string"},{"type":"null"}]} to {"oneOf":[{"type":"string"},{"type":"null"}]}"#
      ),
      (
        #"{"items": {"properties": {"x": {"type": "string"}}}}"#,
        #"{"items": {"properties": {"x": {"type": "null"}}}}"#, "!p[].x: type changed from string to null"
      ),
      (#"{"properties": {"x": {}}}"#, #"{"properties": {"x": {}, "y": {}}}"#, "p.y: added, optional"),
      (#"{}"#, #"{"required": ["x"]}"#, "!p.x: added, required"),
      (#"{"properties": {"x": {}}}"#, #"{"properties": {}}"#, "!p.x: removed"),
      (#"{"properties": {"x": {}}}"#, #"{"properties": {"x": {}}, "required": ["x"]}"#, "!p.x: now required"),
      (#"{"properties": {"x": {}}, "required": ["x"]}"#, #"{"properties": {"x": {}}}"#, "p.x: no longer required"),
      ("true", "false", "!p: type changed from any to none\n!p: rules changed from none to {\"not\":{}}"),
      (#"{"additionalProperties": true}"#, "{}", ""),
    ] { XCTAssertEqual(try changes(old, new).joined(separator: "\n"), expected, "\(old) \(new)") }
  }

  /// An app that is installed sends what the old plan allows, so a rule that may refuse it breaks the app.
  func testANarrowerRuleBreaksAppsAndAWiderOneDoesNot() throws {
    let closed = #""additionalProperties": false"#
    for (wide, narrow) in [
      ("{}", #"{"minimum": 1}"#), (#"{"minimum": 1}"#, #"{"minimum": 2}"#), ("{}", #"{"exclusiveMaximum": 1}"#),
      (#"{"maximum": 2}"#, #"{"maximum": 1}"#), ("{}", #"{"minLength": 1}"#),
      (#"{"minLength": 0}"#, #"{"minLength": 1}"#),
      (#"{"maxLength": 3}"#, #"{"maxLength": 2}"#), ("{}", #"{"pattern": "a"}"#), ("{}", #"{"format": "uuid"}"#),
      ("{}", #"{"multipleOf": 2}"#), (#"{"multipleOf": 2}"#, #"{"multipleOf": 4}"#), ("{}", #"{"minItems": 1}"#),
      (#"{"maxItems": 2}"#, #"{"maxItems": 1}"#), (#"{"uniqueItems": false}"#, #"{"uniqueItems": true}"#),
      ("{}", #"{"contains": {"const": 1}}"#), ("{}", #"{"items": {"type": "string"}}"#), ("{}", "{\(closed)}"),
      (#"{"additionalProperties": {"type": "string"}}"#, "{\(closed)}"), ("{}", #"{"minProperties": 1}"#),
      (#"{"additionalProperties": true}"#, #"{"additionalProperties": {"type": "string"}}"#),
      ("{}", #"{"propertyNames": {"maxLength": 2}}"#), ("{}", #"{"not": {"const": 1}}"#),
      (#"{"anyOf": [{"const": 1}, {"const": 2}]}"#, #"{"anyOf": [{"const": 1}]}"#),
      (#"{"allOf": [{"minimum": 1}]}"#, #"{"allOf": [{"minimum": 1}, {"maximum": 2}]}"#),
      (#"{"if": {"const": 1}, "then": {}}"#, #"{"if": {"const": 1}, "then": {"minimum": 2}}"#),
    ] {
      let (narrower, wider) = (try changes(wide, narrow), try changes(narrow, wide))
      XCTAssertTrue(narrower.contains { $0.hasPrefix("!") }, "\(wide) \(narrow): \(narrower)")
      XCTAssertFalse(
        wider.isEmpty || wider.contains { $0.hasPrefix("!") } && !wide.contains("if"), "\(wide) \(narrow): \(wider)")
    }
    // Without the names of others, they fall under the rule of the rest.
    XCTAssertEqual(
      try changes(#"{"patternProperties": {"a": {}}, \#(closed)}"#, "{\(closed)}"),
      [#"!p: rules changed from {"patternProperties":{"a":{}}} to none"#])
  }

  func testARemovedParamBreaksAppsIfTheEventHasNoOthers() throws {
    func changes(_ old: String, _ new: String) throws -> [String] {
      texts(
        PlanDiff(
          from: try TrackingPlan(text: #"{"events": {"e": \#(old)}}"#),
          to: try TrackingPlan(text: #"{"events": {"e": \#(new)}}"#)))
    }
    let param = #""x": {"type": "integer"}"#
    XCTAssertEqual(try changes(#"{"params": {\#(param)}}"#, #"{"params": {}}"#), ["!x: removed"])
    XCTAssertEqual(
      try changes(#"{"params": {\#(param)}, "open": true}"#, #"{"params": {}, "open": true}"#), ["x: removed"])
    XCTAssertEqual(
      try changes(#"{"params": {\#(param)}, "open": true}"#, #"{"params": {\#(param)}}"#),
      [#"!: rules changed from none to {"additionalProperties":false}"#])
    XCTAssertEqual(
      try changes(#"{"params": {\#(param)}}"#, #"{"params": {\#(param)}, "open": true}"#),
      [#": rules changed from {"additionalProperties":false} to none"#])
    let object = #""o": {"type": "object", "properties": {\#(param)}"#
    XCTAssertEqual(
      try changes(#"{"params": {\#(object)}}}"#, #"{"params": {"o": {"type": "object", "properties": {}}}}"#),
      ["!o.x: removed"])
    XCTAssertEqual(
      try changes(
        #"{"params": {\#(object), "additionalProperties": true}}}"#,
        #"{"params": {"o": {"type": "object", "properties": {}, "additionalProperties": true}}}"#), ["o.x: removed"])
  }

  func testWhatAPlanSaysBesidesRulesIsAChange() throws {
    func changes(_ old: String, _ new: String, source: String? = nil) throws -> [String] {
      func plan(_ event: String) throws -> TrackingPlan {
        try TrackingPlan(
          text: #"{"events": {"e": {"params": {}\#(event)}}}"#, source: source)
      }
      return texts(PlanDiff(from: try plan(old), to: try plan(new), source: source))
    }
    for (old, new, expected) in [
      ("", #", "expires": "2027-01-01""#, [": expires on 2027-01-01"]),
      (
        #", "expires": "2027-01-01""#, #", "expires": "2028-01-01""#,
        [": expires on 2028-01-01, before on 2027-01-01"]
      ),
      (#", "expires": "2027-01-01""#, "", [": no longer expires"]),
      ("", #", "sources": ["iOS"]"#, ["!: sources changed from all to iOS"]),
      (#", "sources": ["iOS"]"#, #", "sources": ["Web", "ios"]"#, [": sources changed from iOS to Web, ios"]),
      (#", "sources": ["iOS", "Web"]"#, #", "sources": ["iOS"]"#, ["!: sources changed from iOS, Web to iOS"]),
      (#", "sources": ["iOS", "Web"]"#, #", "sources": ["web", "ios"]"#, []),
      (#", "sources": ["iOS"]"#, "", [": sources changed from iOS to all"]),
      ("", #", "coverage": false"#, [": no longer counts in coverage"]),
      (#", "coverage": false"#, "", [": counts in coverage again"]),
      ("", #", "draft": true"#, [": now a draft"]), (#", "draft": true"#, "", [": no longer a draft"]),
      (#", "swiftName": "A""#, #", "swiftName": "B""#, [": Swift name changed from A to B"]),
      (#", "swiftName": "A""#, "", [": Swift name changed from A to none"]),
      ("", #", "description": "d", "owner": "o", "tags": ["t"], "examples": [{}], "counterexamples": [1]"#, []),
    ] { XCTAssertEqual(try changes(old, new), expected, "\(old) \(new)") }
    for (old, new, expected) in [
      ("", #", "draft": true"#, ["p: now a draft"]),
      ("", #", "swiftName": "s""#, ["p: Swift name changed from none to s"]),
      (#", "deprecated": "d""#, "", ["p: no longer deprecated"]),
    ] {
      func event(_ members: String) -> String {
        ##"{"events": {"e": {"params": {"p": {"$ref": "#/types/T"\##(members)}}}}, "types": {"T": {"type": "string"}}}"##
      }
      let diff = PlanDiff(from: try TrackingPlan(text: event(old)), to: try TrackingPlan(text: event(new)))
      XCTAssertEqual(texts(diff), expected, "\(old) \(new)")
    }
    // Both plans have only the events of one source.
    XCTAssertEqual(
      try changes(#", "sources": ["iOS", "Web"]"#, #", "sources": ["iOS"], "draft": true"#, source: "iOS"),
      [": now a draft"])
  }

  func testAnObjectThatSubschemasExtendIsClosed() throws {
    func object(_ members: String) -> String {
      #"{"type": "object", "properties": {\#(members)}, "allOf": [{"properties": {"y": {}}}]}"#
    }
    XCTAssertEqual(try changes(object(#""x": {}"#), object("")), ["!p.x: removed"])
    XCTAssertEqual(
      try changes(#"{"type": "string"}"#, #"{"type": "string", "anyOf": [{"minLength": 1}]}"#),
      [#"!p: rules changed from none to {"anyOf":[{"minLength":1}]}"#])
  }

  func testAReferenceToAnyPlaceIsFollowed() throws {
    func shapes(_ maximum: Int) -> String {
      #""x-shapes": {"code": {"type": "string", "maxLength": \#(maximum)}},"#
    }
    let list = ##"{"type": "array", "items": {"$ref": "#/x-shapes/code"}}"##
    XCTAssertEqual(
      try changes(list, list, definitions: (shapes(5), shapes(3))),
      [#"!p[]: rules changed from {"maxLength":5} to {"maxLength":3}"#])
    XCTAssertEqual(try changes(list, list, definitions: (shapes(5), shapes(5))), [])
    XCTAssertEqual(
      try changes(
        list, #"{"type": "array", "items": {"type": "string", "maxLength": 5}}"#, definitions: (shapes(5), "")),
      [])
  }

  func testARecursiveTypeIsComparedOnce() throws {
    func tree(_ type: String) -> String {
      ##""definitions": {"tree": {"properties": {"n": {"type": "\##(type)"}, "all": {"items": {"$ref": "#/definitions/tree"}}}}},"##
    }
    let reference = ##"{"$ref": "#/definitions/tree"}"##
    XCTAssertEqual(try changes(reference, reference, definitions: (tree("string"), tree("string"))), [])
    XCTAssertEqual(
      try changes(reference, reference, definitions: (tree("string"), tree("null"))),
      ["!p.n: type changed from string to null"])
  }

  func testAKeywordThatADraftDoesNotKnowIsNoValue() throws {
    XCTAssertEqual(
      try changes(#"{"const": "a"}"#, #"{"enum": ["a"]}"#, draft: "draft-04"),
      [
        "!p: type changed from any to string", #"!p: only these values are allowed: "a""#,
        #"p: rules changed from {"const":"a"} to none"#,
      ])
  }

  // MARK: A second evaluation

  /// Holds the changes of random plans against a comparison of the facts from which the plans are written.
  func testRandomPlansHaveTheChangesOfTheirFacts() throws {
    var kinds: Set<String> = []
    for seed in RandomCases.seeds(400) {
      var random = SeededGenerator(seed: UInt64(seed))
      let old = (0..<3).compactMap { random.isOne(in: 5) ? nil : RandomEvent(number: $0, &random) }
      let new = (0..<3).compactMap { number -> RandomEvent? in
        guard !random.isOne(in: 5) else { return nil }
        return old.first { $0.name == "e\(number)" }?.changed(&random) ?? RandomEvent(number: number, &random)
      }
      let diff = PlanDiff(
        from: try TrackingPlan(text: RandomEvent.plan(of: old)), to: try TrackingPlan(text: RandomEvent.plan(of: new)))
      var found: Set<String> = []
      for event in diff.events {
        if event.kind != .changed { found.insert("\(event.name) \(event.kind)\(event.breaksApps ? "!" : "")") }
        for change in event.changes {
          found.insert("\(event.name) \(change.param) \(change.kind)\(change.breaksApps ? "!" : "")")
        }
      }
      let expected = RandomEvent.changes(from: old, to: new)
      XCTAssertEqual(
        found.sorted(), expected.sorted(), "\(seed)\n\(RandomEvent.plan(of: old))\n\(RandomEvent.plan(of: new))")
      kinds.formUnion(expected.compactMap { $0.split(separator: " ").last.map(String.init) })
    }
    XCTAssertEqual(
      kinds.sorted(),
      [
        "added", "added!", "deprecated", "lostValues!", "newValues", "optional", "removed!", "required!", "rules",
        "rules!", "type", "type!",
      ])
  }
}

/// The facts of an event: its params by path.
private struct RandomEvent {
  struct Param: Equatable {
    var types: Set<String>
    var values: [String]
    var isRequired: Bool
    var isDeprecated: Bool
    var most: Int?
    var isShared: Bool
  }

  let name: String
  /// By path; `o` is the object of `o.x` and `o.y`, and `l` the array of `l[]`.
  var params: [String: Param] = [:]

  private static let paths = ["a", "b", "o", "o.x", "o.y", "l", "l[]"]

  init(number: Int, _ random: inout SeededGenerator) {
    name = "e\(number)"
    for path in Self.paths { params[path] = Self.param(path, &random) }
    complete()
  }

  func changed(_ random: inout SeededGenerator) -> RandomEvent {
    var event = self
    for path in Self.paths where random.isOne(in: 4) { event.params[path] = Self.param(path, &random) }
    event.complete()
    return event
  }

  private static func param(_ path: String, _ random: inout SeededGenerator) -> Param? {
    let isContainer = ["o", "l"].contains(path)
    guard !random.isOne(in: 3) else { return nil }
    var types: Set = [["string", "integer", "number", "boolean"][random.below(4)]]
    if random.isOne(in: 4) { types.insert("null") }
    let isText = types == ["string"] && !isContainer
    return Param(
      types: isContainer ? [path == "o" ? "object" : "array"] : types,
      values: isText && random.isOne(in: 2) ? ["u", "v", "w"].filter { _ in random.isOne(in: 2) } : [],
      isRequired: random.isOne(in: 2) && path != "l[]", isDeprecated: random.isOne(in: 5),
      most: isText ? [nil, 3, 4][random.below(3)] : nil, isShared: !isContainer && random.isOne(in: 3))
  }

  /// Removes the inner params of a missing one; an array always has elements.
  private mutating func complete() {
    if params["o"] == nil { (params["o.x"], params["o.y"]) = (nil, nil) }
    params["l[]"] =
      params["l"] == nil
      ? nil
      : params["l[]"] ?? Param(types: ["null"], values: [], isRequired: false, isDeprecated: false, isShared: false)
  }

  // MARK: The plan's text

  /// The plan in our own format; shared params are behind a reference.
  static func plan(of events: [RandomEvent]) -> String {
    var shared: [String] = []
    func text(_ event: RandomEvent, _ path: String) -> String? {
      guard let param = event.params[path] else { return nil }
      var parts = [#""type": [\#(param.types.sorted().map { "\"\($0)\"" }.joined(separator: ", "))]"#]
      if !param.values.isEmpty {
        parts.append(#""enum": [\#(param.values.map { "\"\($0)\"" }.joined(separator: ", "))]"#)
      }
      if let most = param.most { parts.append(#""maxLength": \#(most)"#) }
      if path == "o" { parts.append("\"properties\": {\(members(event, ["o.x", "o.y"]))}") }
      if path == "l", let inner = text(event, "l[]") { parts.append("\"items\": \(inner)") }
      if param.isShared {
        shared.append("\"t\(shared.count)\": {\(parts.joined(separator: ", "))}")
        parts = [##""$ref": "#/types/t\##(shared.count - 1)""##]
      }
      if param.isDeprecated { parts.append(#""deprecated": true"#) }
      if !param.isRequired, path != "l[]" { parts.append(#""optional": true"#) }
      return "{\(parts.joined(separator: ", "))}"
    }
    func members(_ event: RandomEvent, _ paths: [String]) -> String {
      paths.compactMap { path in
        text(event, path).map { "\"\(path.split(separator: ".").last ?? "")\": \($0)" }
      }.joined(separator: ", ")
    }
    let all = events.map { "\"\($0.name)\": {\"params\": {\(members($0, ["a", "b", "o", "l"]))}}" }
    return #"{"events": {\#(all.joined(separator: ", "))}, "types": {\#(shared.joined(separator: ", "))}}"#
  }

  // MARK: The changes

  static func changes(from old: [RandomEvent], to new: [RandomEvent]) -> Set<String> {
    var found: Set<String> = []
    for event in old where !new.contains(where: { $0.name == event.name }) { found.insert("\(event.name) removed!") }
    for event in new {
      guard let before = old.first(where: { $0.name == event.name }) else {
        found.insert("\(event.name) added")
        continue
      }
      for path in paths {
        // The members of a new or a lost param are a part of its change.
        if let outer = ["o", "l"].first(where: { path.hasPrefix($0) && path != $0 }),
          before.params[outer] == nil || event.params[outer] == nil
        {
          continue
        }
        func add(_ kind: String) { found.insert("\(event.name) \(path) \(kind)") }
        switch (before.params[path], event.params[path]) {
        case (nil, nil): break
        case (_?, nil): add("removed!")
        case (nil, let param?): add(param.isRequired ? "added!" : "added")
        case (let a?, let b?):
          let isWider = a.types.allSatisfy { b.types.contains($0) || $0 == "integer" && b.types.contains("number") }
          if a.types != b.types { add(isWider ? "type" : "type!") }
          if b.isRequired, !a.isRequired { add("required!") }
          if a.isRequired, !b.isRequired { add("optional") }
          if a.isDeprecated != b.isDeprecated { add("deprecated") }
          if a.most != b.most { add(b.most.map { $0 < a.most ?? .max } == true ? "rules!" : "rules") }
          let lost = b.values.isEmpty ? [] : a.values.filter { !b.values.contains($0) }
          if !lost.isEmpty || a.values.isEmpty && !b.values.isEmpty { add("lostValues!") }
          let gained = a.values.isEmpty ? [] : b.values.filter { !a.values.contains($0) }
          if !gained.isEmpty || !a.values.isEmpty && b.values.isEmpty { add("newValues") }
        }
      }
    }
    return found
  }
}

extension SeededGenerator {
  fileprivate mutating func below(_ count: Int) -> Int { Int(next() % UInt64(count)) }
  fileprivate mutating func isOne(in count: Int) -> Bool { below(count) == 0 }
}
