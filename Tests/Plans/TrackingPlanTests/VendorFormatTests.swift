import TestSupport

@testable import TrackingPlan

/// Plans in the forms that vendors' tools write, each with a right and a wrong event.
final class VendorFormatTests: XCTestCase {
  func testSegmentsConfigAPIHasTheParamsInsideOfTheCall() throws {
    let plan = try TrackingPlan(
      text: """
        {"name": "workspaces/shop/tracking-plans/rs_1", "display_name": "Shop", "rules": {"events": [
          {"name": "Order Completed", "description": "Paid.", "version": 1, "rules": {
            "$schema": "http://json-schema.org/draft-07/schema#", "type": "object",
            "properties": {
              "context": {}, "traits": {},
              "properties": {
                "type": "object",
                "properties": {"order_id": {"id": "/properties/properties/properties/order_id", "type": ["string"]},
                               "total": {"type": ["number", "null"]}},
                "required": ["order_id"]}},
            "required": ["properties"]}},
          {"name": "Cart Viewed", "version": 1, "rules": {"type": "object", "properties": {"properties": {}}}}
        ]}}
        """)
    XCTAssertEqual(plan.format, .segment)
    XCTAssertEqual(plan.name, "Shop")
    XCTAssertEqual(findings(plan, "Order Completed", ["order_id": "1", "total": nil]), [])
    XCTAssertEqual(
      findings(plan, "Order Completed", ["total": "9", "coupon": "x"]),
      [
        "order_id is missing, expected a string (line 8)",
        "total: \"9\" is a string, expected a number or null (line 9)", "coupon is not in the plan (line 6)",
      ])
    XCTAssertEqual(findings(plan, "Cart Viewed"), [])
    XCTAssertEqual(findings(plan, "Cart Viewed", ["a": 1]), ["a is not in the plan (line 12)"])
  }

  func testSegmentsPublicAPIHasRulesByKeyOfWhichTheHighestVersionCounts() throws {
    let plan = try TrackingPlan(
      text: """
        {"name": "Shop", "rules": [
          {"key": "Signed Up", "type": "TRACK", "version": 2, "jsonSchema": {
            "properties": {"context": {}, "traits": {},
              "properties": {"type": "object", "properties": {"plan": {"enum": ["free", "paid"]}}, "required": ["plan"]}}}},
          {"key": "Signed Up", "type": "TRACK", "version": 1, "jsonSchema": {"properties": {"old": {"type": "string"}}, "required": ["old"]}},
          {"key": "Logged Out", "type": "TRACK", "version": 1, "deprecatedAt": "2026-02-01T00:00:00Z",
           "jsonSchema": {"$schema": "http://json-schema.org/draft-07/schema#", "type": "object",
                          "properties": {"reason": {"type": "string"}}}},
          {"key": "", "type": "IDENTIFY", "version": 1, "jsonSchema": {
            "properties": {"traits": {"type": "object", "properties": {"email": {"type": "string", "format": "email"}}}}}}
        ]}
        """)
    XCTAssertEqual(plan.events.map(\.name), ["Signed Up", "Logged Out", "identify"])
    XCTAssertEqual(findings(plan, "Signed Up", ["plan": "paid"]), [])
    XCTAssertEqual(
      findings(plan, "Signed Up", ["plan": "payed"]),
      ["plan: \"payed\", expected one of \"free\", \"paid\"; the nearest is \"paid\" (line 4)"])
    XCTAssertEqual(
      findings(plan, "Logged Out", ["reason": "idle"]),
      ["the event is deprecated: deprecated since 2026-02-01 (line 6)"])
    XCTAssertEqual(
      findings(plan, "identify", ["email": "anna"]),
      ["email: \"anna\", expected a string that is an email address (line 10)"])
    XCTAssertEqual(
      error(#"{"rules": [{"key": "a", "jsonSchema": {}}, {"type": "TRACK", "jsonSchema": {}}]}"#),
      "plan.json:1: rules[1]: has no key")
  }

  func testParamsWithTheNamesOfACallsMembersAreParams() throws {
    let object = #"{"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}"#
    let text = #"{"type": "string"}"#
    let typewriters = #"{"name": "e", "type": "TRACK"}"#
    // The params, what Typewriter adds, and another event of the plan.
    for (params, metadata, others) in [
      (["context": text], "null", ""), (["context": object], "null", ""),
      (["context": object, "type": text], "null", ""),
      (["context": text, "properties": text], "null", ""), (["context": object, "properties": text], "null", ""),
      (["context": object, "properties": object], typewriters, ""), (["properties": object], typewriters, ""),
      (["context": object, "traits": object, "properties": object], typewriters, ""),
      (
        ["context": object, "properties": object], "null",
        #", {"key": "f", "type": "TRACK", "jsonSchema": {"properties": {"total": {"type": "number"}}}}"#
      ),
      (["type": #"{"type": "integer"}"#, "properties": object], "null", ""),
      (["event": #"{"enum": [1, 2]}"#, "context": object], "null", ""),
    ] {
      let names = params.keys.sorted()
      let properties = names.map { #""\#($0)": \#(params[$0] ?? "")"# }.joined(separator: ", ")
      let required = names.map { #""\#($0)""# }.joined(separator: ", ")
      let schema = #"{"type": "object", "properties": {\#(properties)}, "required": [\#(required)]"#
      for plan in [
        #"{"rules": [{"key": "e", "type": "TRACK", "jsonSchema": \#(schema), "eventMetadata": \#(metadata)}}\#(others)]}"#,
        #"{"rules": {"events": [{"name": "e", "rules": \#(schema), "eventMetadata": \#(metadata)}}\#(others.replacingOccurrences(of: "key", with: "name").replacingOccurrences(of: "jsonSchema", with: "rules"))]}}"#,
        #"{"rules": {"events": [{"name": "e", "eventType": "track", "rules": \#(schema), "eventMetadata": \#(metadata)}}\#(others.replacingOccurrences(of: "key", with: "name").replacingOccurrences(of: "jsonSchema", with: "rules"))]}}"#,
      ] {
        let read = try TrackingPlan(text: plan.replacingOccurrences(of: #", "eventMetadata": null"#, with: ""))
        XCTAssertEqual(read.event(named: "e")?.params.map(\.name), names, plan)
        XCTAssertEqual(findings(read, "e").count, names.count, "each is missing: \(plan)")
        let event = params.mapValues { schema -> TrackingValue in
          schema == object ? ["a": "x"] : schema == text ? "x" : 1
        }
        XCTAssertEqual(
          findings(read, "e", Dictionary(uniqueKeysWithValues: event.map { (.custom(key: $0), $1) })), [], plan)
      }
    }
  }

  func testASchemaThatMayBeEitherIsOneOfACallAsThePlansOthersAre() throws {
    let export = #"{"properties": {"context": {}, "traits": {}, "properties": {"type": "object"}}}"#
    let context = #"{"properties": {"context": {"required": ["ip"]}}, "required": ["context"]}"#
    let plan = try TrackingPlan(
      text: #"{"rules": [{"key": "a", "jsonSchema": \#(context)}, {"key": "b", "jsonSchema": \#(export)}]}"#)
    XCTAssertEqual(findings(plan, "a"), [])
    let alone = try TrackingPlan(
      text: #"{"rules": [{"key": "a", "jsonSchema": {"properties": {"properties": {"properties": {"b": {}}}}}}]}"#)
    XCTAssertEqual(findings(alone, "a", ["b": 1]), [])
    // A call with another field says nothing about the others.
    let screen = #"{"properties": {"name": {"type": "string"}, "properties": {"type": "object"}}}"#
    let mixed = try TrackingPlan(
      text:
        #"{"rules": [{"key": "a", "jsonSchema": {"properties": {"properties": {"properties": {"b": {}}}}}}, {"type": "SCREEN", "jsonSchema": \#(screen)}]}"#
    )
    XCTAssertEqual(findings(mixed, "a", ["b": 1]), [])
  }

  func testEachFormatHasParamsWithTheNamesOfACallsMembers() throws {
    let params = #"{"context": {"type": "string"}, "properties": {"type": "integer"}, "type": {"enum": ["a", "b"]}}"#
    let schema = #"{"properties": \#(params), "required": ["context"]}"#
    let iglu =
      #"{"self": {"vendor": "v", "name": "e", "format": "jsonschema", "version": "1-0-0"}, "# + schema.dropFirst()
    for text in [
      #"{"events": {"e": {"params": \#(params)}}}"#, iglu,
      #"{"events": [{"name": "e", "rules": {"properties": {"properties": \#(schema)}}}]}"#,
      #"{"entries": [{"entityType": "event", "name": "e", "schemaJson": \#(schema)}]}"#,
    ] {
      let plan = try TrackingPlan(text: text)
      XCTAssertEqual(findings(plan, "e", ["context": "x", "properties": 1, "type": "a"]), [], text)
      XCTAssertEqual(findings(plan, "e", ["context": "x", "properties": "1", "type": "c"]).count, 2, text)
      XCTAssertFalse(findings(plan, "e").isEmpty, text)
    }
    // Avo doesn't export the params alone.
    let avo =
      "plan.json:1: events[0].rules: `context` isn't read; an Avo plan describes an event's params in `properties.properties`"
    XCTAssertEqual(
      error(
        #"{"events": [{"name": "e", "rules": {"properties": {"context": {"type": "object", "required": ["a"]}}}}]}"#),
      avo)
    XCTAssertEqual(error(#"{"events": [{"name": "e", "rules": \#(schema)}]}"#), avo)
    let wrapped = try TrackingPlan(text: #"{"events": {"e": {"params": {"properties": {"a": {"type": "string"}}}}}}"#)
    XCTAssertTrue(findings(wrapped, "e", ["a": "x"])[0].contains("`a` is not a keyword of JSON Schema"))
  }

  func testAPageOfRulesIsNotAPlan() throws {
    func text(_ pagination: String) -> String {
      #"{"rules": [{"key": "a", "type": "TRACK", "jsonSchema": {}}], "pagination": \#(pagination)}"#
    }
    let reason =
      "plan.json:1: pagination: this is one page of the plan's rules, not the plan; put the `rules` of all pages into one file"
    XCTAssertEqual(error(text(#"{"current": "MA==", "next": "MQ==", "totalEntries": 2}"#)), reason)
    XCTAssertEqual(error(text(#"{"current": "MQ==", "previous": "MA=="}"#)), reason)
    XCTAssertEqual(error(text(#"{"current": "MQ==", "totalEntries": 2}"#)), reason)
    XCTAssertEqual(error(text(#"{"current": "MA==", "next": null, "totalEntries": 1}"#)), "no error")
  }

  func testAvosExportIsReadAsItsAPIGivesIt() throws {
    let plan = try TrackingPlan(
      text: #"""
        {"name": "Shop:main", "events": [{"id": "1", "name": "paid", "triggers": [], "rules": {
          "$schema": "http://json-schema.org/draft-06/schema#", "type": "object", "required": ["properties", "nameMapping"],
          "nameMapping": [], "properties": {"properties": {"type": "object", "additionalProperties": false,
            "properties": {"total": {"id": "t", "index": 0, "nameMapping": [], "type": "number"}}, "required": ["total"]}}}},
          {"id": "2", "name": "left", "rules": {"properties": {"properties": {"type": "object"}}}}], "metrics": {}}
        """#)
    XCTAssertEqual(findings(plan, "paid", ["total": 1]), [])
    XCTAssertEqual(findings(plan, "paid"), ["total is missing, expected a number (line 4)"])
    XCTAssertEqual(findings(plan, "left", ["a": 1]), ["a is not in the plan (line 5)"])
  }

  func testSegmentsRulesForNamesThatLookTheSameAreTwoEvents() throws {
    let rules = ["caf\\u00e9", "cafe\\u0301"].map {
      #"{"key": "\#($0)", "type": "TRACK", "version": 1, "jsonSchema": {"type": "object"}}"#
    }
    let plan = try TrackingPlan(text: #"{"rules": [\#(rules.joined(separator: ", "))]}"#)
    XCTAssertEqual(plan.events.map { Array($0.name.utf8) }, [Array("caf\u{E9}".utf8), Array("cafe\u{301}".utf8)])
  }

  func testAnyIsATypeOfSegmentsExports() throws {
    let plan = try TrackingPlan(
      text: #"""
        {"rules": [{"key": "a", "type": "TRACK", "jsonSchema": {"properties": {"properties": {"type": "object", "properties": {
          "b": {"type": ["any"]}, "c": {"type": "any"}, "d": {"type": "array", "items": {"type": ["any", "null"]}},
          "e": {"type": ["string"]}}}}}}]}
        """#)
    XCTAssertEqual(findings(plan, "a", ["b": 1, "c": [true], "d": ["x", 2], "e": "y"]), [])
    XCTAssertEqual(findings(plan, "a", ["e": 1]), ["e: 1 is a number, expected a string (line 3)"])
  }

  func testTheRulesOfSegmentForAllCallsAndForCallsWithoutANameAreRead() throws {
    let common = #"{"properties": {"properties": {"properties": {"id": {"type": "string"}}, "required": ["id"]}}}"#
    let publicAPI = try TrackingPlan(
      text: #"""
        {"rules": [{"key": "a", "type": "TRACK", "jsonSchema": {"properties": {"properties": {}}}},
          {"key": "", "type": "COMMON", "jsonSchema": \#(common)}]}
        """#)
    let configAPI = try TrackingPlan(
      text: #"""
        {"rules": {"events": [{"name": "a", "rules": {"properties": {"properties": {}}}}], "global": \#(common),
          "identify": {"properties": {"context": {}, "properties": {}, "traits": {"properties": {"age": {"type": "integer"}}}}},
          "group": {"properties": {"traits": {"type": "object", "properties": {}}}}, "identify_traits": [], "group_traits": []}}
        """#)
    for plan in [publicAPI, configAPI] {
      XCTAssertEqual(findings(plan, "a", ["id": "1"]), [])
      XCTAssertEqual(findings(plan, "a").map { $0.prefix { $0 != "(" } }, ["id is missing, expected a string "])
    }
    XCTAssertEqual(configAPI.events.map(\.name), ["a", "identify"])
    XCTAssertEqual(
      findings(configAPI, "identify", ["age": "x"]), ["age: \"x\" is a string, expected an integer (line 2)"])
    let unwrapped = try TrackingPlan(
      text: #"{"rules": {"events": [], "group": {"properties": {"size": {"type": "integer"}}}}}"#)
    XCTAssertEqual(findings(unwrapped, "group", ["size": 1.5]).count, 1)
  }

  func testWhatSegmentsRuleForAllCallsSaysOfTheParamsIsReadOrRefused() throws {
    func text(_ common: String) -> String {
      #"""
      {"rules": [{"key": "a", "type": "TRACK", "jsonSchema": {"properties": {"properties": {"properties": {"B": {}}}}}},
        {"key": null, "type": "COMMON", "jsonSchema": \#(common)}]}
      """#
    }
    let plan = try TrackingPlan(
      text: text(#"{"properties": {"properties": {"propertyNames": {"pattern": "^[a-z]+$"}}}}"#))
    XCTAssertEqual(
      findings(plan, "a", ["B": 1]), [#"B: the name "B", expected a string that matches ^[a-z]+$ (line 1)"#])
    XCTAssertEqual(
      error(text(#"{"properties": {"id": {"type": "string"}}, "required": ["id"]}"#)),
      "plan.json:2: rules[1].jsonSchema: `required` isn't read; a Segment plan describes an event's params in `properties.properties`"
    )
    // Rules for other fields of the call don't apply to the params.
    let context = #"{"properties": {"context": {"required": ["ip"]}, "properties": {}}, "required": ["context"]}"#
    XCTAssertEqual(findings(try TrackingPlan(text: text(context)), "a", ["B": 1]), [])
  }

  func testWhatAVendorsFormatDoesNotReadIsAnError() {
    let unread = "isn't read; a Segment plan describes an event's params in"
    for (text, reason) in [
      (#"{"rules": [{"key": "a", "type": "TRACK"}]}"#, "rules[0]: has no jsonSchema"),
      (#"{"rules": {"events": [{"name": "a"}]}}"#, "rules.events[0]: has no rules"),
      (
        #"{"rules": [{"key": "a", "jsonSchema": {}, "properties": [{"name": "b"}]}]}"#,
        "rules[0].properties: \(unread) `jsonSchema`"
      ),
      (
        ##"{"rules": [{"key": "a", "jsonSchema": {"$ref": "#/definitions/a"}}]}"##,
        "rules[0].jsonSchema: `$ref` \(unread) `properties.properties`"
      ),
      (
        #"{"rules": [{"key": "a", "jsonSchema": {"type": "object", "allOf": [{}]}}]}"#,
        "rules[0].jsonSchema: `allOf` \(unread) `properties.properties`"
      ),
      (
        #"{"rules": [{"key": "a", "jsonSchema": {"required": ["b"]}}]}"#,
        "rules[0].jsonSchema: `required` \(unread) `properties.properties`"
      ),
      (
        #"{"rules": [{"key": "", "type": "", "jsonSchema": {}}]}"#,
        "rules[0]: \"\" is not a kind of call; expected track, identify, group, page, screen or alias"
      ),
      (
        #"{"rules": {"events": [], "identify_traits": [{"name": "age"}]}}"#,
        "rules.identify_traits: isn't read; a Segment plan has traits in `identify` and `group`"
      ),
      (
        #"{"rules": [{"name": "a"}]}"#,
        "rules: not a known plan format: an array of rules without `jsonSchema`, which those of Segment have"
      ),
      (
        #"{"events": [{"name": "a", "properties": [{"name": "b", "type": "string", "required": true}]}]}"#,
        "events: not a known plan format: an array of events without `rules`, which those of Avo and RudderStack have; in our format `events` is an object with the events by name"
      ),
      (#"{"events": [{"name": "a", "rules": {}}, {"name": "b"}]}"#, "events[1]: has no rules"),
      (#"{"events": [{"name": "a", "rules": {}}, {"name": "", "rules": {}}]}"#, "events[1]: has an empty name"),
      (
        #"{"events": [{"name": "a", "rules": {}, "params": {"b": {}}}]}"#,
        "events[0].params: isn't read; an Avo plan describes an event's params in `rules`"
      ),
      (
        #"{"events": [{"name": "a", "rules": {"type": "object", "properties": {"Song": {"type": "string"}}}}]}"#,
        "events[0].rules: `Song` isn't read; an Avo plan describes an event's params in `properties.properties`"
      ),
      (#"{"entries": [{"entityType": "event", "name": "a"}]}"#, "entries[0]: has no schemaJson"),
      (
        #"{"entries": [{"entityType": "event", "name": "a", "schemaJson": {}, "properties": {"b": {}}}]}"#,
        "entries[0].properties: isn't read; a Mixpanel Lexicon describes an event's params in `schemaJson`"
      ),
      (
        #"{"entries": [{"name": "a"}]}"#,
        "entries: not a known plan format: an array of entries without `entityType`, which those of Mixpanel have"
      ),
    ] {
      XCTAssertEqual(error(text), "plan.json:1: \(reason)")
    }
    XCTAssertEqual(error(#"{"rules": {"events": []}}"#, format: .avo), "plan.json:1: has no events")
  }

  func testRudderStacksAPIHasTheEventsAtTheTop() throws {
    let plan = try TrackingPlan(
      text: #"""
        {"id": "tp_1", "name": "Shop", "version": 3, "events": [
          {"name": "Paid", "eventType": "track", "rules": {"properties": {"properties": {"properties": {"total": {"type": "number"}}}}}},
          {"name": "", "eventType": "identify", "rules": {"properties": {"traits": {"properties": {"age": {"type": "integer"}}}}}}]}
        """#)
    XCTAssertEqual(plan.format, .rudderStack)
    XCTAssertEqual(plan.events.map(\.name), ["Paid", "identify"])
    XCTAssertEqual(findings(plan, "Paid", ["total": "x"]), ["total: \"x\" is a string, expected a number (line 2)"])
  }

  func testRudderStackNamesCallsByTheirKind() throws {
    let plan = try TrackingPlan(
      text: """
        {"name": "Rudder", "version": 2, "rules": {"events": [
          {"name": "Product Clicked", "eventType": "track", "rules": {"properties": {"properties": {
            "additionalProperties": false, "type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"]}}}},
          {"name": "", "eventType": "identify", "rules": {"properties": {"traits": {"type": "object", "properties": {"age": {"type": "integer"}}}}}},
          {"name": "", "eventType": "screen", "rules": {"properties": {"properties": {"type": "object", "properties": {"name": {"type": "string"}}}}}}
        ]}}
        """)
    XCTAssertEqual(plan.format, .rudderStack)
    XCTAssertEqual(plan.events.map(\.name), ["Product Clicked", "identify", "screen"])
    XCTAssertEqual(findings(plan, "Product Clicked", ["id": "1"]), [])
    XCTAssertEqual(
      findings(plan, "Product Clicked", ["ID": "1"]),
      ["id is missing, expected a string (line 3)", "ID is not in the plan; the nearest is id (line 3)"])
    XCTAssertEqual(
      findings(plan, "identify", ["age": 1.5]), ["age: 1.5 is not an integer, expected an integer (line 4)"])
  }

  func testAvosEventsAreFilteredBySource() throws {
    let text = """
      {"name": "Musicpack", "events": [
        {"id": "1", "name": "Song Played", "description": "A song began.", "tags": [], "categories": ["Player"],
         "sources": [{"id": "s1", "name": "iOS"}],
         "rules": {"$schema": "http://json-schema.org/draft-06/schema#", "type": "object", "properties": {
           "type": {"const": "event"},
           "properties": {"type": "object", "additionalProperties": false,
             "properties": {"Song Name": {"type": "string"}, "Length": {"type": "integer", "exclusiveMinimum": 0}},
             "required": ["Song Name"]}}}},
        {"id": "2", "name": "Ad Shown", "sources": [{"id": "s2", "name": "Web"}], "rules": {}}
      ]}
      """
    let plan = try TrackingPlan(text: text, source: "iOS")
    XCTAssertEqual(plan.format, .avo)
    XCTAssertEqual(plan.events.map(\.name), ["Song Played"])
    XCTAssertEqual(findings(plan, "Song Played", ["Song Name": "A", "Length": 3]), [])
    XCTAssertEqual(
      findings(plan, "Song Played", ["Song Name": "A", "Length": 0]),
      ["Length: 0, expected an integer above 0 (line 7)"])
    XCTAssertEqual(findings(plan, "Ad Shown"), ["the plan has no event with this name"])
  }

  func testADownloadedLexiconIsReadLikeAnUploadedOne() throws {
    let plan = try TrackingPlan(
      text: """
        {"status": "ok", "results": [
          {"entityType": "event", "name": "Paid", "schemaJson": {"properties": {"Total": {"type": "number"}}}},
          {"entityType": "profile", "name": "$user", "schemaJson": {"properties": {}}}
        ]}
        """)
    XCTAssertEqual(plan.format, .mixpanel)
    XCTAssertEqual(plan.events.map(\.name), ["Paid"])
    XCTAssertEqual(findings(plan, "Paid", ["Total": "1"]), ["Total: \"1\" is a string, expected a number (line 2)"])
    XCTAssertEqual(
      error(#"{"status": "ok", "results": [{"entityType": "event", "name": "a"}]}"#),
      "plan.json:1: results[0]: has no schemaJson")
    XCTAssertEqual(
      error(#"{"status": "ok", "results": [{"name": "a"}]}"#),
      "plan.json:1: results: not a known plan format: an array of results without `entityType`, which those of Mixpanel have"
    )
  }

  func testMixpanelsProfilesAreNoEvents() throws {
    let plan = try TrackingPlan(
      text: """
        {"entries": [
          {"entityType": "event", "name": "Added To Cart", "schemaJson": {
            "$schema": "http://json-schema.org/draft-07/schema#", "description": "Added.", "required": ["Product"],
            "properties": {"Product": {"type": "string"}, "Sizes": {"type": "array", "items": {"type": "integer"}}}},
           "metadata": {"com.mixpanel": {"hidden": false, "dropped": false}}},
          {"entityType": "profile", "name": "$user", "schemaJson": {"properties": {}}},
          {"entityType": "Group", "name": "$firm", "schemaJson": {"properties": {}}},
          {"entityType": "EVENT", "name": "Old", "schemaJson": {}, "metadata": {"com.mixpanel": {"dropped": true}}}
        ]}
        """)
    XCTAssertEqual(plan.format, .mixpanel)
    XCTAssertEqual(findings(plan, "Added To Cart", ["Product": "1", "Sizes": [1, 2]]), [])
    XCTAssertEqual(
      findings(plan, "Added To Cart", ["Product": "1", "Sizes": [1, "M"]]),
      ["Sizes[1]: \"M\" is a string, expected an integer (line 4)"])
    XCTAssertEqual(findings(plan, "Old"), ["the event is deprecated: Mixpanel drops this event (line 8)"])
    XCTAssertEqual(findings(plan, "$firm").count, 1)
    XCTAssertEqual(
      error(#"{"entries": [{"entityType": "evnt", "name": "a", "schemaJson": {}}]}"#),
      "plan.json:1: entries[0]: \"evnt\" is not a kind of entry; expected event or profile")
  }

  func testIgluFoldersGiveTheHighestVersionOfEachEvent() throws {
    let folder = try temporaryFolder()
    let schemas = folder.appendingPathComponent("schemas/com.shop/search/jsonschema")
    try FileManager.default.createDirectory(at: schemas, withIntermediateDirectories: true)
    try #"{"schema": "iglu:com.snowplowanalytics.iglu/resolver-config/jsonschema/1-0-1", "data": {}}"#
      .write(to: folder.appendingPathComponent("resolver.json"), atomically: true, encoding: .utf8)
    func write(_ version: String, _ properties: String) throws {
      let text = """
        {"$schema": "http://iglucentral.com/schemas/com.snowplowanalytics.self-desc/schema/jsonschema/1-0-0#",
         "self": {"vendor": "com.shop", "name": "search", "format": "jsonschema", "version": "\(version)"},
         "type": "object", "properties": \(properties), "required": ["term"], "additionalProperties": false}
        """
      try text.write(to: schemas.appendingPathComponent(version), atomically: true, encoding: .utf8)
    }
    try write("1-0-9", #"{"term": {"type": "string"}}"#)
    try write(
      "1-0-10",
      #"{"term": {"type": "string", "maxLength": 5}, "hits": {"type": "integer", "minimum": 0, "exclusiveMinimum": true}}"#
    )
    let plan = try TrackingPlan(contentsOf: folder)
    XCTAssertEqual(plan.format, .iglu)
    XCTAssertEqual(plan.events.map(\.name), ["search"])
    XCTAssertEqual(findings(plan, "search", ["term": "books", "hits": 1]), [])
    XCTAssertEqual(
      findings(plan, "search", ["term": "journals", "hits": 0, "page": 1]),
      [
        "term: \"journals\" has 8 characters, expected a string of at most 5 characters (line 3)",
        "hits: 0, expected an integer above 0 (line 3)", "page is not in the plan (line 1)",
      ])
    try #"{"properties": {"term": {"type": "string"}}}"#
      .write(to: schemas.appendingPathComponent("1-0-11"), atomically: true, encoding: .utf8)
    XCTAssertThrowsError(try TrackingPlan(contentsOf: folder)) { error in
      XCTAssertEqual("\(error)", schemas.path + "/1-0-11:1: has no self")
    }
  }

  func testIgluSchemasThatWouldNeverApplyAreRefused() throws {
    let folder = try temporaryFolder()
    func reason(_ path: String, _ itself: String, _ rest: String = "") throws -> String {
      let schemas = folder.appendingPathComponent("schemas")
      try? FileManager.default.removeItem(at: schemas)
      for (path, itself) in [("com.shop/search/jsonschema/1-0-0", #""search", "version": "1-0-0""#), (path, itself)] {
        let file = schemas.appendingPathComponent(path)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try #"{"self": {"vendor": "com.shop", "format": "jsonschema", "name": \#(itself)}, "type": "object"}"#
          .write(to: file, atomically: true, encoding: .utf8)
      }
      do {
        let plan = try TrackingPlan(contentsOf: folder)
        return findings(plan, "search", ["a": 1]).joined()
      } catch {
        return String("\(error)".dropFirst(schemas.path.count + 1))
      }
    }
    XCTAssertEqual(
      try reason("com.shop/search/jsonschema/1-0-1", #""search", "version": "1-0-0""#),
      #"com.shop/search/jsonschema/1-0-1:1: self.version: is "1-0-0", but the file's path says "1-0-1""#)
    XCTAssertEqual(
      try reason("com.shop/cart/jsonschema/2-0-0", #""search", "version": "2-0-0""#),
      #"com.shop/cart/jsonschema/2-0-0:1: self.name: is "search", but the file's path says "cart""#)
    XCTAssertEqual(
      try reason("com.other/search/jsonschema/2-0-0", #""search", "version": "2-0-0""#),
      #"com.other/search/jsonschema/2-0-0:1: self.vendor: is "com.shop", but the file's path says "com.other""#)
    XCTAssertEqual(
      try reason("search.json", #""search", "version": "1-0-0", "more": 1"#),
      "search.json:1: self: \(folder.path)/schemas/com.shop/search/jsonschema/1-0-0 has this version, too, and differs")
    XCTAssertEqual(
      try reason("search.json", #""search", "version": "1-0-0""#), "a is not in the plan (line 1)", "a copy")
    // A schema that says nothing about params is one of an event without params.
    XCTAssertEqual(
      try reason("com.shop/search/jsonschema/1-0-1.json", #""search", "version": "1-0-1""#),
      "a is not in the plan (line 1)")
  }

  /// Reads a folder of files as a plan.
  private func plan(of files: KeyValuePairs<String, String>) throws -> TrackingPlan {
    let folder = try temporaryFolder()
    for (name, text) in files {
      try text.write(to: folder.appendingPathComponent(name), atomically: true, encoding: .utf8)
    }
    return try TrackingPlan(contentsOf: folder)
  }

  func testATypeBelongsToItsFile() throws {
    let plan = try plan(of: [
      "a.json": ##"{"types": {"Id": {"type": "string"}, "Ids": {"type": "array", "items": {"$ref": "#/types/Id"}}}, "##
        + ##""common": {"user": {"$ref": "#/types/Id", "optional": true}}, "events": {"a": {"params": {"id": {"$ref": "#/types/Id"}}}}}"##,
      "b.json": ##"{"types": {"Id": {"type": "integer"}}, "events": {"b": {"params": "##
        + ##"{"id": {"$ref": "#/types/Id"}, "ids": {"$ref": "#/types/Ids", "optional": true}}}}}"##,
      "c.json": ##"{"events": {"c": {"params": {"id": {"$ref": "#/types/Id"}}}}}"##,
      "d.json":
        ##"{"types": {"Id": {"type": "boolean"}}, "events": {"d": {"params": {"id": {"$ref": "#/types/Id"}}}}}"##,
    ])
    for (name, id) in [("a", "x"), ("b", 1), ("c", "x"), ("d", true)] as [(String, TrackingValue)] {
      XCTAssertEqual(findings(plan, name, ["id": id]), [], name)
      // A param of all events has the type of the file that defines it.
      XCTAssertEqual(findings(plan, name, ["id": id, "user": "u"]), [], name)
      XCTAssertEqual(findings(plan, name, ["id": id, "user": 1]), ["user: 1 is a number, expected a string (line 1)"])
    }
    XCTAssertEqual(findings(plan, "b", ["id": "x"]), ["id: \"x\" is a string, expected an integer (line 1)"])
    XCTAssertEqual(findings(plan, "d", ["id": 1]), ["id: 1 is a number, expected a boolean (line 1)"])
    // A type of another file refers to the types of that file.
    XCTAssertEqual(findings(plan, "b", ["id": 1, "ids": ["x"]]), [])
    XCTAssertEqual(
      findings(plan, "b", ["id": 1, "ids": [1]]), ["ids[0]: 1 is a number, expected a string (line 1)"])
  }

  func testMembersOfAnotherFilesTypeAreRequired() throws {
    let plan = try plan(of: [
      "events.json": ##"{"events": {"a": {"params": {"item": {"$ref": "types.json#/types/Item"}}}}}"##,
      "types.json":
        ##"{"types": {"Item": {"properties": {"id": {"$ref": "#/types/Id"}}}, "Id": {"type": "string"}}, "events": {}}"##,
    ])
    XCTAssertEqual(findings(plan, "a", ["item": ["id": "x"]]), [])
    XCTAssertEqual(findings(plan, "a", ["item": [:]]), ["item.id is missing, expected a string (line 1)"])
  }

  func testAFolderWithoutPlansSaysWhatIsInIt() throws {
    XCTAssertThrowsError(
      try plan(of: ["refund.avsc": "{}", "order.avsc": "{}", ".git": ""])
    ) { error in
      XCTAssertTrue(
        "\(error)".hasSuffix(": the folder contains no .json files, but order.avsc, refund.avsc"), "\(error)")
    }
    XCTAssertThrowsError(try plan(of: ["a.avsc": "", "b.avsc": "", "c.avsc": "", "d.yml": "", "e.md": ""])) { error in
      XCTAssertTrue("\(error)".hasSuffix(" no .json files, but a.avsc, b.avsc, c.avsc and 2 more"), "\(error)")
    }
  }

  func testAFolderOfOurOwnFilesIsOnePlan() throws {
    let folder = try temporaryFolder()
    try ##"{"plan": "Shop", "events": {"a": {"params": {"c": {"$ref": "#/types/Currency"}}}}}"##
      .write(to: folder.appendingPathComponent("a.json"), atomically: true, encoding: .utf8)
    try #"{"types": {"Currency": {"enum": ["EUR"]}}, "common": {"user": {"type": "string"}}, "events": {"b": {}}}"#
      .write(to: folder.appendingPathComponent("b.json"), atomically: true, encoding: .utf8)
    let plan = try TrackingPlan(contentsOf: folder)
    XCTAssertEqual(plan.name, "Shop")
    XCTAssertEqual(plan.events.map(\.name), ["a", "b"])
    XCTAssertEqual(findings(plan, "a", ["c": "EUR", "user": "1"]), [])
    XCTAssertEqual(
      plan.findings(in: TrackingEvent(name: "a", params: ["c": "USD", "user": "1"])).first?.place?.file.hasSuffix(
        "b.json"), true)
    try #"{"events": {"a": {}}}"#.write(to: folder.appendingPathComponent("c.json"), atomically: true, encoding: .utf8)
    XCTAssertThrowsError(try TrackingPlan(contentsOf: folder)) { error in
      XCTAssertTrue("\(error)".contains("c.json:1: events.a: is also defined in"), "\(error)")
    }
  }
}
