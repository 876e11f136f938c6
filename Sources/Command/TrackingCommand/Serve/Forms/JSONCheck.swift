import Foundation
import TrackingChecks
import TrackingJSON
import TrackingPatterns

/// A form of a check as JSON, and the check that it makes.
struct JSONCheck: Sendable {
  let form: Form
  let make: @Sendable (JSONNode) throws(JSONError) -> TrackingCheck<CheckOutcome>

  /// All forms; of those with the same first member, the first that fits is meant.
  static let all =
    [.event, .request].flatMap(Self.single)
    + [
      order(
        "inOrder", TrackingCheck.inOrder,
        [
          .init(
            #"{"inOrder": [{"request": "POST /orders"}, {"event": "order_placed"}]}"#,
            "They have arrived in this order, whatever arrived between."
          )
        ]),
      order(
        "inAnyOrder", TrackingCheck.inAnyOrder,
        [
          .init(
            #"{"inAnyOrder": [{"event": "a"}, {"event": "b"}]}"#,
            "They have arrived in any order, each a separate entry.")
        ]),
      order(
        "consecutive", TrackingCheck.consecutive,
        [
          .init(
            #"{"consecutive": [{"event": "a"}, {"event": "b"}]}"#,
            "In this order, with no other event between (for requests: no other request).")
        ]),
      absenceBefore, absenceWithin, noDuplicates, nothingElse, next, plan, delivery,
    ]

  static let forms = Forms(all.map(\.form), one: "send one check")
  static let examples = forms.all.flatMap(\.examples)

  // MARK: - Events and requests

  private static func single(_ entry: EntryForm) -> [JSONCheck] {
    let exact = Form(
      entry.name,
      entry.members + [
        FormMember("count", .countFromZero, isRequired: true, decides: true), .init("within", .within), .since,
      ],
      notes: [
        .init("timeout", beside: "within", "a count that may be 0 has no timeout; \"within\" ends it"),
        .init("timeout", "a count that may be 0 has no timeout; write \"within\": {} beside \"count\""),
      ])
    let plain = Form(
      entry.name, entry.members + [.init("count", .count), .since, .timeout], examples: entry.examples,
      notes: [
        .init("within", "only a count that may be 0 has \"within\", such as \"count\": 0; write \"timeout\"")
      ])
    return [exact, plain].map { form in
      JSONCheck(form: form) { node throws(JSONError) in
        let pattern = try node.entry()
        guard let count = try node["count"]?.eventCount() else { return .first(pattern) }
        return .count(count, of: pattern, within: try node["within"]?.number())
      }
    }
  }

  // MARK: - Orders and absences

  private static func order(
    _ name: String, _ make: @escaping @Sendable ([EntryPattern]) -> TrackingCheck<CheckOutcome>,
    _ examples: [Form.Example]
  ) -> JSONCheck {
    let patterns = Shape.list(.entryPattern, atLeast: 1, "event or request")
    return JSONCheck(form: Form(name, [.required(name, patterns), .since, .timeout], examples: examples)) {
      node throws(JSONError) in make(try node.member(name).patterns())
    }
  }

  private static let absenceBefore = JSONCheck(
    form: Form(
      "none", [.required("none", .entryPattern), .required("before", .entryPattern), .since, .timeout],
      examples: [
        .init(
          #"{"none": {"event": "page_viewed"}, "before": {"event": "consent_given"}}"#,
          "The second has arrived, and not the first before it.")
      ], notes: [.init("within", "is there besides before; an absence has one end")])
  ) { node throws(JSONError) in .none(of: try node.member("none").entry(), before: try node.member("before").entry()) }

  private static let absenceEnds =
    "an absence ends: write \"within\": {}, in seconds, or \"before\": {\"event\": …}"

  private static let absenceWithin = JSONCheck(
    form: Form(
      "none", [.required("none", .entryPattern), .required("within", .within), .since],
      examples: [.init(#"{"none": {"event": "crashed"}, "within": 1}"#, "1 s has passed without it.")],
      notes: [
        .init("timeout", beside: "within", "an absence has no timeout; \"within\" ends it"),
        .init("timeout", absenceEnds),
      ], missing: .init("timeout", absenceEnds))
  ) { node throws(JSONError) in .none(of: try node.member("none").entry(), within: try node.member("within").number()) }

  // MARK: - Other checks

  private static let noDuplicates = JSONCheck(
    form: Form(
      "noDuplicates",
      [
        .required(
          "noDuplicates",
          .object(
            Forms(
              [
                .required("within", .secondsAboveZero, "Two equal events so many seconds apart are duplicates."),
                .ignoring,
              ], example: #"{"within": 1}"#))), .since, .timeout,
      ],
      examples: [
        .init(#"{"noDuplicates": {"within": 1}}"#, "No two equal events have arrived within 1 s of each other.")
      ])
  ) { node throws(JSONError) in
    let options = try node.member("noDuplicates")
    return .noDuplicates(within: try options.member("within").number(), ignoring: try options.ignored())
  }

  private static let nothingElse = JSONCheck(
    form: Form(
      "nothingElse",
      [
        .required("nothingElse", .object(Forms([.init("within", .within), .ignoring], example: #"{"within": 1}"#))),
        .since,
      ],
      examples: [
        .init(
          #"{"nothingElse": {"within": 1, "ignoring": [{"event": "heartbeat"}]}}"#,
          "1 s has passed, and earlier checks have matched every other event.")
      ],
      notes: [.init("timeout", "nothingElse has no timeout; write {\"nothingElse\": {\"within\": {}}}")])
  ) { node throws(JSONError) in
    let options = try node.member("nothingElse")
    return .nothingElse(within: try options["within"]?.number(), ignoring: try options.ignored())
  }

  private static let next = JSONCheck(
    form: Form(
      "next", [.required("next", .entryPattern), .since, .timeout],
      examples: [
        .init(
          #"{"next": {"event": "tapped"}}"#, "One has arrived that no earlier check has matched, as of two equal taps.")
      ])
  ) { node throws(JSONError) in .firstFree(try node.member("next").entry()) }

  private static let plan = JSONCheck(
    form: Form(
      "plan", [.required("plan", .any([.yes, .object(Forms([.ignoring]))], "true")), .since, .timeout],
      examples: [.init(#"{"plan": true}"#, "Every event follows the plan of `serve --plan`.")])
  ) { node throws(JSONError) in
    let options = try node.member("plan")
    return options.isObject ? .plan(ignoring: try options.ignored()) : .plan
  }

  private static let delivery = JSONCheck(
    form: Form(
      "delivery", [.required("delivery", .yes), .since, .timeout],
      examples: [.init(#"{"delivery": true}"#, "Every tracked event has arrived, and none was rejected.")])
  ) { _ throws(JSONError) in .delivery }
}

extension Form.Example {
  init(_ json: String, _ meaning: String) { self.init(json: json, meaning: meaning) }
}

/// The members of an event's or a request's pattern.
private struct EntryForm {
  let name: String
  let members: [FormMember]
  let examples: [Form.Example]

  static let event = EntryForm(
    name: "event",
    members: [
      .required("event", .text("an event's name"), "The event's name."),
      .init(
        "params", .map(),
        "Literals that the event must have; it may have others. A key may be a path: `items[0].price`."),
      .init("paramsSchema", .schema, "A JSON Schema (2020-12) for all params of the event."),
    ],
    examples: [
      .init(#"{"event": "purchase", "params": {"total": 120}}"#, "An event with at least these params has arrived."),
      .init(
        #"{"event": "purchase", "count": 1}"#,
        "So many have arrived, and no more follow; or {\"atLeast\": 1, \"atMost\": 3}."),
      .init(
        #"{"event": "retried", "count": {"atMost": 2}, "within": 1}"#,
        "1 s has passed, and no more than 2 have arrived."),
    ])

  static let request = EntryForm(
    name: "request",
    members: [
      .request("A method and a path: `POST /orders`, `GET /books?page=2`."), .query, .requestHeaders, .body,
      .init("responded", .responded),
    ],
    examples: [
      .init(
        #"{"request": "POST /orders", "body": {"id": 7}, "responded": 201}"#,
        "The app has sent this request, with at least these members of its body, and got this status; also \"query\", \"requestHeaders\"."
      )
    ])

  var form: Form { Form(name, members) }
}

extension FormMember {
  /// - Parameter sentence: The meaning of the path, which in a stub may have open parts.
  static func request(_ sentence: String) -> FormMember {
    .required(
      "request",
      .pattern(
        #"^([A-Za-z0-9!#$%&'*+.^_`|~-]+ )?/[^#]*$"#, #"a method and a path such as "POST /orders""#), sentence)
  }
  static let query = FormMember("query", .map(), "Items that the query must have.")
  static let requestHeaders = FormMember("requestHeaders", .requestHeaders)
  static let body = FormMember(
    "body", .json(isNullable: false), "JSON that the body must contain, at every level.")
  static let since = FormMember("since", .mark)
  static let timeout = FormMember(
    "timeout", .named(.init(name: "Timeout", sentence: "Seconds to wait; 5 by default.", shape: .seconds)))
  static let ignoring = FormMember("ignoring", .named(.init(name: "EntryPatterns", shape: .list(.entryPattern))))
}

extension Shape {
  static let mark = Shape.named(
    .init(
      name: "Mark", sentence: "A mark: only what arrived after it counts.", shape: .pattern("^m[1-9][0-9]*$")))
  static let within = Shape.named(
    .init(
      name: "Within",
      sentence:
        "Seconds from the start of the check in which nothing more may arrive; 0.25 by default, except for `none`.",
      shape: .seconds))
  static let entryPattern = Shape.named(
    .init(
      name: "EntryPattern",
      shape: .object(Forms([EntryForm.event, EntryForm.request].map(\.form), one: "send one check"))))
  static let requestHeaders = Shape.named(
    .init(
      name: "RequestHeaders", sentence: "Header fields that the request must have, by names in any case.",
      shape: .map(.text())))
  static let count = Shape.named(
    .init(
      name: "Count", sentence: "A number, or its bounds.",
      shape: .any(
        [.integer(0 ... .max, number), bounds(.integer(0 ... .max, "a number"))], number)))
  private static let number = #"a number, or {"atLeast": 1}"#
  static let countFromZero = Shape.named(
    .init(
      name: "CountFromZero", sentence: "A count that may be 0, which has `within` and no `timeout`.",
      shape: .any(
        [
          .constant(0),
          .object(Forms([.required("atMost", .integer(0 ... .max, "a number")), .init("atLeast", .constant(0))])),
        ], "0")))
  static let responded = Shape.named(
    .init(
      name: "Responded", sentence: "The status of the response, a range of them, or any response.",
      shape: .any([status, .yes, bounds(status)], "a status")))
  private static let status = Shape.integer(100...599, "a status from 100 to 599")

  /// `atLeast`, `atMost` or both.
  private static func bounds(_ bound: Shape) -> Shape {
    .object(Forms([.init("atLeast", bound), .init("atMost", bound)], expected: "atLeast, atMost or both"))
  }
}
