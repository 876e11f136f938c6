import TestSupport
@testable import TrackingPlan

/// A plan in our own format that uses all of its words.
let storefront = """
  {
    "plan": "Storefront",
    "types": { "Currency": { "enum": ["EUR", "USD"] } },
    "common": { "screen": { "type": "string", "optional": true } },
    "events": {
      "added_to_cart": {
        "description": "A product was put into the cart.",
        "owner": "checkout",
        "params": {
          "product_id": { "type": "string", "minLength": 1 },
          "quantity":   { "type": "integer", "minimum": 1 },
          "price":      { "type": "number", "optional": true },
          "currency":   { "$ref": "#/types/Currency" },
          "source":     { "enum": ["list", "search", "recommendation"], "optional": true },
          "items": {
            "type": "array", "optional": true,
            "items": {
              "type": "object",
              "properties": { "id": { "type": "string" }, "note": { "type": "string", "optional": true } }
            }
          },
          "email_hash": { "type": "string", "personal": "hashed", "optional": true, "deprecated": "Not used." }
        },
        "examples": [{ "product_id": "42", "quantity": 1, "currency": "EUR" }]
      },
      "cart_shown": { "params": {} },
      "anything": { "params": {}, "open": true },
      "cart_add": { "deprecated": "Use added_to_cart.", "expires": "2020-01-01", "params": {} }
    }
  }
  """

extension XCTestCase {
  /// The findings of a plan about an event, one line each, with the lines of the plan.
  func findings(
    _ plan: TrackingPlan, _ name: String, _ params: [TrackingParam: TrackingValue] = [:]
  ) -> [String] {
    plan.findings(in: TrackingEvent(name: name, params: params)).map { finding in
      finding.place.map { "\(finding) (line \($0.line))" } ?? "\(finding)"
    }
  }

  /// The error of reading a text as a plan; `no error` if the text is valid.
  func error(_ text: String, format: PlanFormat? = nil, source: String? = nil) -> String {
    do {
      _ = try TrackingPlan(text: text, name: "plan.json", format: format, source: source)
      return "no error"
    } catch {
      return "\(error)"
    }
  }
}
