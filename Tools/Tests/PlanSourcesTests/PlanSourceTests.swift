import Foundation
import TrackingModel
import TrackingPlan
import TrackingPlanKit
import XCTest

@testable import PlanSources

/// Plans as they lie in repositories, each with an event that is right and one that is wrong.
final class PlanSourceTests: XCTestCase {
  private var folder = URL(fileURLWithPath: "/")

  override func setUpWithError() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("plan-sources-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  override func tearDownWithError() throws {
    try FileManager.default.removeItem(at: folder)
  }

  private func write(_ text: String, to name: String) throws {
    let url = folder.appendingPathComponent(name)
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: url)
  }

  private func converted(_ name: String = "") throws -> TrackingPlan {
    let path = name.isEmpty ? folder.path : folder.appendingPathComponent(name).path
    return try XCTUnwrap(ForeignPlanReader.plan(at: path)).plan
  }

  private func losses(_ name: String = "") throws -> [String] {
    let path = name.isEmpty ? folder.path : folder.appendingPathComponent(name).path
    return try XCTUnwrap(ForeignPlanReader.plan(at: path)).losses.map {
      $0.replacingOccurrences(of: folder.path + "/", with: "")
    }
  }

  private func findings(_ plan: TrackingPlan, _ name: String, _ params: [TrackingParam: TrackingValue]) -> [String] {
    plan.findings(in: TrackingEvent(name: name, params: params)).map { "\($0.path): \($0.reason)" }
  }

  private func refusal(_ name: String) -> String {
    do {
      _ = try ForeignPlanReader.plan(at: folder.appendingPathComponent(name).path)
      return "converted"
    } catch {
      return "\(error)".replacingOccurrences(of: folder.path + "/", with: "")
    }
  }

  func testOurOwnFormatInYAML() throws {
    try write(
      """
      plan: Shop
      events:
        cart_opened: &cart
          description: The cart was opened.
          params: &params
            country: { enum: [de, no] }   # a text, not false
            total: { type: number, minimum: 1.5 }
        cart_closed:
          <<: *cart
          params:
            <<: *params
            version: { const: "1.0", optional: true }
      """, to: "plan.yaml")
    let plan = try converted("plan.yaml")
    XCTAssertEqual(plan.events.map(\.name), ["cart_opened", "cart_closed"])
    XCTAssertEqual(findings(plan, "cart_closed", ["country": "no", "total": 2, "version": "1.0"]), [])
    XCTAssertEqual(findings(plan, "cart_opened", ["country": "no", "total": 1.5]), [])
    XCTAssertEqual(findings(plan, "cart_opened", ["country": false, "total": 1.5]).count, 1)
    XCTAssertEqual(findings(plan, "cart_closed", ["country": "de", "total": 1, "version": 1]).count, 2)
  }

  func testAVendorsFormatInYAMLAndAFolderOfFiles() throws {
    try write(
      """
      rules:
        - key: Order Placed
          type: TRACK
          version: 1
          jsonSchema:
            $schema: http://json-schema.org/draft-07/schema#
            type: object
            properties: { properties: { type: object, required: [total], properties: { total: { type: integer } } } }
      """, to: "segment.yml")
    XCTAssertEqual(findings(try converted("segment.yml"), "Order Placed", ["total": 1]), [])
    XCTAssertEqual(findings(try converted("segment.yml"), "Order Placed", ["total": "1"]).count, 1)
    try write("events: { a: { params: {} } }", to: "features/a.yaml")
    try write("{ events: { b: { params: {}, }, }, } // JSON5", to: "features/b.json5")
    XCTAssertEqual(try converted("features").events.map(\.name), ["a", "b"])
  }

  func testRudderStacksCatalogue() throws {
    try write(
      """
      version: rudder/v1
      kind: events
      spec:
        events:
          - { id: product_viewed, name: Product Viewed, event_type: track, description: A product was shown. }
          - { id: signed_in, event_type: identify }
      """, to: "events.yaml")
    try write(
      """
      version: rudder/v1
      kind: properties
      spec:
        properties:
          - { id: sku, name: sku, type: string, config: { min_length: 3 } }
          - { id: email, name: email, type: "#custom-type:Email" }
          - { id: tags, name: tags, type: array, item_type: string }
          - { id: price, name: price, types: [number, "null"] }
          - { id: cart, name: cart, type: object }
      """, to: "properties.yaml")
    try write(
      """
      version: rudder/v1
      kind: custom-types
      spec: { types: [{ id: Email, name: Email, type: string, config: { format: email } }] }
      """, to: "types.yaml")
    try write(
      """
      version: rudder/v1
      kind: tracking-plan
      spec:
        id: shop
        display_name: Shop
        rules:
          - type: event_rule
            id: product_viewed_rule
            event: "#event:product_viewed"
            properties:
              - { property: "#property:sku", required: true }
              - { property: "#property:price", required: true }
              - { property: "#property:email" }
              - { property: "#property:tags" }
              - property: "#property:cart"
                properties: [{ property: "#property:sku", required: true }]
          - { type: event_rule, id: signed_in_rule, event: "#event:signed_in" }
      """, to: "plan.yaml")
    let plan = try converted()
    XCTAssertEqual(plan.name, "Shop")
    XCTAssertEqual(plan.events.map(\.name), ["Product Viewed"])
    XCTAssertEqual(
      findings(
        plan, "Product Viewed",
        ["sku": "abc", "price": .null, "email": "a@b.de", "tags": ["x"], "cart": ["sku": "abc"]]), [])
    XCTAssertEqual(
      findings(
        plan, "Product Viewed", ["sku": "ab", "price": "1", "email": "nobody", "tags": [1], "cart": [:], "more": 1]
      ).count, 6)
  }

  func testRudderStacksOlderReferences() throws {
    try write(
      """
      version: rudder/0.1
      kind: events
      spec: { events: [{ id: viewed, name: Viewed, event_type: track }] }
      """, to: "events.yaml")
    try write(
      """
      version: rudder/v0.1
      kind: properties
      spec: { properties: [{ id: tags, name: tags, type: "array, null", propConfig: {}, config: { itemTypes: [string] } }] }
      """, to: "properties.yaml")
    try write(
      """
      version: rudder/0.1
      kind: tp
      spec:
        rules:
          - id: rule
            event: { $ref: "#/events/shop/viewed", allow_unplanned: true }
            properties: [{ $ref: "#/properties/shop/tags", required: true }]
      """, to: "plan.yaml")
    let plan = try converted()
    XCTAssertEqual(findings(plan, "Viewed", ["tags": ["a"], "other": 1]), [])
    XCTAssertEqual(findings(plan, "Viewed", ["tags": [1]]).count, 1)
    try write("version: rudder/0.1\nkind: events\nspec: { events: [] }\n", to: "events.yaml")
    XCTAssertEqual(refusal(""), "plan.yaml: the event #/events/shop/viewed is in no file")
  }

  func testGleansEvents() throws {
    try write(
      """
      ---
      $schema: moz://mozilla.org/schemas/glean/metrics/2-0-0
      toolbar.menu:
        click:
          type: event
          description: |
            A click
            in the toolbar.
          extra_keys:
            button: { type: string, description: Which. }
            clicks: { type: quantity, description: How many. }
          expires: never
        total: { type: counter, description: Not an event., expires: never }
      """, to: "metrics.yaml")
    let plan = try converted("metrics.yaml")
    XCTAssertEqual(plan.events.map(\.name), ["toolbar.menu.click"])
    XCTAssertEqual(plan.events.first?.description, "A click in the toolbar.")
    XCTAssertEqual(findings(plan, "toolbar.menu.click", [:]), [])
    XCTAssertEqual(findings(plan, "toolbar.menu.click", ["button": 1, "clicks": -1]).count, 2)
  }

  func testDuckDuckGosPixels() throws {
    try write(
      "{ // shared\n appVersion: { key: 'appVersion', description: 'Version', type: 'string', pattern: '^[0-9.]+$', }, }",
      to: "params_dictionary.json5")
    try write(
      """
      {
        sync_login: {
          description: "Logged in.", owners: ["anna"], triggers: ["other"], suffixes: ["platform"],
          parameters: ["appVersion", { key: "source", type: "string", description: "Where.", enum: ["start", "backup"] }],
        },
        sync_data: { description: "Data.", owners: ["anna"], parameters: [{ keyPattern: "^ud[0-9]$", description: "One each." }] },
      }
      """, to: "pixels/definitions/sync.json5")
    let plan = try converted()
    XCTAssertEqual(plan.events.map(\.name), ["sync_login", "sync_data"])
    XCTAssertEqual(findings(plan, "sync_login", ["appVersion": "1.2", "source": "start"]), [])
    XCTAssertEqual(findings(plan, "sync_login", ["appVersion": "beta", "source": "other"]).count, 2)
    XCTAssertEqual(findings(plan, "sync_data", ["ud1": "x"]), [])
    XCTAssertEqual(
      try losses(),
      [
        "pixels/definitions/sync.json5: sync_login: suffixes; names with a suffix are not planned",
        "pixels/definitions/sync.json5: sync_data: the keyPattern ^ud[0-9]$; the event is open instead",
      ])
    try write("{}", to: "params_dictionary.json5")
    XCTAssertEqual(
      refusal(""),
      "pixels/definitions/sync.json5: sync_login: the parameter \"appVersion\" is in no params_dictionary of the folder"
    )
  }

  func testMembersOfADuckDuckGoObjectStayOptional() throws {
    try write(
      """
      { p: { description: "P.", owners: ["a"], parameters: [
        { key: "meta", type: "object", properties: { x: { type: "string" }, y: { type: "integer" } } } ] } }
      """, to: "p.json5")
    XCTAssertEqual(findings(try converted("p.json5"), "p", ["meta": ["x": "1"]]), [])
    XCTAssertEqual(findings(try converted("p.json5"), "p", ["meta": ["x": 1]]).count, 1)
    try write(
      """
      { p: { description: "P.", owners: ["a"], parameters: [
        { key: "meta", anyOf: [
          { type: "object", properties: { x: { type: "string" }, y: { type: "integer" } } },
          { type: "array", items: { oneOf: [{ type: "object", properties: { z: { type: "string" } } }] } } ] } ] } }
      """, to: "p.json5")
    XCTAssertEqual(findings(try converted("p.json5"), "p", ["meta": ["x": "1"]]), [])
    XCTAssertEqual(findings(try converted("p.json5"), "p", ["meta": [[:]]]), [])
    XCTAssertFalse(findings(try converted("p.json5"), "p", ["meta": ["x": 1]]).isEmpty)
  }

  func testRudderStacksConfigurationIsKeptAndItsVariantsAreNamed() throws {
    try write(
      "version: rudder/0.1\nkind: events\nspec: { events: [{ id: viewed, name: Viewed, event_type: track }] }\n",
      to: "events.yaml")
    try write(
      """
      version: rudder/0.1
      kind: properties
      spec: { properties: [{ id: sku, name: sku, type: string, propConfig: { minLength: 3 } }] }
      """, to: "properties.yaml")
    try write(
      """
      version: rudder/0.1
      kind: tp
      spec:
        rules:
          - id: rule
            event: { $ref: "#/events/shop/viewed" }
            properties: [{ $ref: "#/properties/shop/sku", required: true }]
            variants: [{ type: discriminator, discriminator: sku, cases: [] }]
      """, to: "plan.yaml")
    XCTAssertEqual(findings(try converted(), "Viewed", ["sku": "ab"]).count, 1)
    XCTAssertEqual(try losses(), ["plan.yaml: Viewed: variants"])
  }

  func testJSON5IsReadInTheOrderOfItsMembers() throws {
    let text = """
      \u{FEFF}// A comment, and /* another.
      {b: 'it\\'s "so"', /* over
      lines */ 'a': [+1, .5, 5., -0x1F, 1.e2, 18446744073709551615,], $c_1: "a\\
      b\\x41\\v\\0\\q\t", "d\\"": {}, "e": [[], null, true,], \u{E9}: {f: -.25e-1,},}
      """
    XCTAssertEqual(
      try JSONTree.json5(Data(text.utf8), file: "a.json5").text(.compact),
      #"{"b":"it's \"so\"","a":[1,0.5,5,-31,100,18446744073709551615],"$c_1":"abA\u000b\u0000q\t","d\"":{},"e":[[],null,true],"\#u{E9}":{"f":-0.025}}"#
    )
    for (text, error) in [
      ("{\n a: 1,,\n}", "a:2: isn't JSON5: expected a key in quotes, found \",\""),
      ("[,]", "a:1: isn't JSON5: expected a value, found \",\""),
      ("[1,", "a:1: isn't JSON5: expected a value, found the end of the text"),
      ("{a: 1} x", "a:1: isn't JSON5: expected the end of the text, found \"x\""),
      ("{a: 'x\\\n\\\n'\n b}", "a:4: isn't JSON5: expected \",\" or \"}\", found \"b\""),
      ("{a: 'x\n'}", "a:1: isn't JSON5: a control character in a string must be escaped, found the byte 0x0A"),
      ("{a: \"", "a:1: isn't JSON5: the string has no closing quotation mark"),
      ("\n{a: 1, a: 2}", "a:2: isn't JSON5: this key appears twice"),
      ("[0x]", "a:1: isn't JSON5: expected \",\" or \"]\", found \"x\""),
      ("[-Infinity]", "a:1: isn't JSON5: expected a digit, found \"I\""),
      ("/* a", "a:1: isn't JSON5: expected a value, found \"/\""),
      ("[1, /* a", "a:1: isn't JSON5: expected a value, found \"/\""),
      ("[+\"a\"]", "a:1: isn't JSON5: expected a value, found \"+\""),
      ("[+true]", "a:1: isn't JSON5: expected a value, found \"+\""),
      ("[+[1]]", "a:1: isn't JSON5: expected a value, found \"+\""),
      ("[+ 1]", "a:1: isn't JSON5: expected a value, found \"+\""),
      ("[+-1]", "a:1: isn't JSON5: expected a value, found \"+\""),
      ("[-+1]", "a:1: isn't JSON5: expected a digit, found \"+\""),
      ("[+Infinity]", "a:1: isn't JSON5: expected a value, found \"I\""),
      ("[1+2]", "a:1: isn't JSON5: expected \",\" or \"]\", found \"+\""),
      ("[0x1F+1]", "a:1: isn't JSON5: expected \",\" or \"]\", found \"+\""),
      ("[0x1F.5]", "a:1: isn't JSON5: expected \",\" or \"]\", found \"x\""),
      ("", "a:1: isn't JSON5: expected a value, found the end of the text"),
    ] {
      XCTAssertThrowsError(try JSONTree.json5(Data(text.utf8), file: "a"), text) { XCTAssertEqual("\($0)", error) }
    }
  }

  func testWhiteSpaceBeyondASCIIEndsANameOfJSON5() throws {
    for space in ["\u{A0}", "\u{1680}", "\u{2003}", "\u{2028}", "\u{202F}", "\u{205F}", "\u{3000}", "\u{FEFF}"] {
      let text = "{a\(space): true\(space), \u{E9}\u{4E16}\(space)\(space): null\(space)}"
      XCTAssertEqual(
        try JSONTree.json5(Data(text.utf8), file: "a").text(.compact), "{\"a\":true,\"\u{E9}\u{4E16}\":null}")
    }
  }

  func testManyCommentsWithoutAnEndAreRefusedAtTheFirst() {
    // A search to the end of the text at each of them would take minutes.
    let text = "[1,\n" + String(repeating: "/* ", count: 100_000)
    XCTAssertThrowsError(try JSONTree.json5(Data(text.utf8), file: "a")) {
      XCTAssertEqual("\($0)", "a:2: isn't JSON5: expected a value, found \"/\"")
    }
  }

  func testBadInputIsRefusedWithItsPlace() throws {
    try write("events:\n  a: {b\n  c: d\n", to: "open.yaml")
    XCTAssertEqual(refusal("open.yaml"), "open.yaml:3: isn't YAML: did not find expected ',' or '}'")
    try write("events:\n  a: {}\n  a: {}\n", to: "twice.yaml")
    XCTAssertTrue(refusal("twice.yaml").hasPrefix("twice.yaml:"), refusal("twice.yaml"))
    try write("", to: "empty.yaml")
    XCTAssertEqual(refusal("empty.yaml"), "empty.yaml: the file is empty")
    try write("{ a: , }", to: "bad.json5")
    XCTAssertEqual(refusal("bad.json5"), "bad.json5:1: isn't JSON5: expected a value, found \"}\"")
    try write("events: { a: { params: { b: { type: intger } } } }", to: "type.yaml")
    XCTAssertTrue(
      refusal("type.yaml").contains("\"intger\" is not a type; the nearest is \"integer\""), refusal("type.yaml"))
    XCTAssertEqual(refusal("missing.yaml"), "missing.yaml: no such file or folder")
    // Nine levels of nine aliases each would be 387 million values.
    var bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n"
    for level in 1...8 {
      bomb += "a\(level): &a\(level) [\((0..<9).map { _ in "*a\(level - 1)" }.joined(separator: ", "))]\n"
    }
    try write(bomb, to: "bomb.yaml")
    XCTAssertEqual(
      refusal("bomb.yaml"), "bomb.yaml: has more than 500000 values; aliases count each time they are used")
  }
}
