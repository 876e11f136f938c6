import StubModel
import TrackingModel

/// A page of help that isn't about one verb.
struct HelpTopic: Sendable {
  /// The word behind `tracking help`.
  let name: String
  /// One line for the list of topics.
  let abstract: String
  let help: [HelpPart]

  static let all = [waits, scenarios, formats, environment, exitCodes]

  private init(_ name: String, _ abstract: String, articles: [String], _ parts: [HelpPart]) {
    (self.name, self.abstract) = (name, abstract)
    help = [.text(abstract)] + parts + [.articles(articles)]
  }

  private static let waits = HelpTopic(
    "waits", "The checks of `tracking wait` and of POST wait.", articles: ["OtherRunners", "Checks"],
    [
      .text("Words, as arguments: an event's name and params, or a request and the status of its response."),
      .examples([
        (
          "purchase total=120 items[0].price<=5 email=*",
          "An event with at least these params has arrived; =* is any value but null."
        ),
        ("POST /orders responded=201", "The app has sent this request, and got this status."),
      ]),
      .text("JSON, as one argument, or from standard input with -:"),
      .examples(checks),
      .text(
        """
        A check may have "timeout", in seconds, 5 by default, and "since", a mark. "none" has "within" or "before"; a count \
        that may be 0 and "nothingElse" have "within" in place of a timeout, 0.25 by default. Without a mark, a check looks at what arrived since the last `tracking mark --as-default`, or since the start.
        """),
    ])

  /// The forms of a check in JSON, each with what passes.
  static let checks = [
    (#"{"event": "purchase", "params": {"total": 120}}"#, "An event with at least these params has arrived."),
    (
      #"{"event": "purchase", "count": {"atLeast": 1, "atMost": 3}}"#,
      "So many have arrived, and no more follow; or a number."
    ),
    (
      #"{"request": "POST /orders", "body": {"id": 7}, "responded": 201}"#,
      "The app has sent this request, with at least these members; also \"query\" and \"requestHeaders\"."
    ),
    (#"{"inOrder": [{"request": "POST /orders"}, {"event": "purchase"}]}"#, "They have arrived in this order."),
    (#"{"inAnyOrder": [{"event": "a"}, {"event": "b"}]}"#, "They have arrived, each another entry."),
    (#"{"consecutive": [{"event": "a"}, {"event": "b"}]}"#, "In this order, with nothing between."),
    (#"{"none": {"event": "crashed"}, "within": 1}"#, "1 s has passed without it."),
    (
      #"{"none": {"event": "viewed"}, "before": {"event": "consented"}}"#,
      "The second has arrived, and not the first before it."
    ),
    (#"{"next": {"event": "tapped"}}"#, "One has arrived that no earlier check has matched."),
    (#"{"noDuplicates": {"within": 1}}"#, "No two equal events came within 1 s of each other."),
    (
      #"{"nothingElse": {"within": 1, "ignoring": [{"event": "heartbeat"}]}}"#,
      "1 s has passed, and earlier checks have matched every other event."
    ),
    (#"{"plan": true}"#, "Every event is as the --plan of `serve` says."),
    (#"{"delivery": true}"#, "Every tracked event has arrived, and none was rejected."),
  ]

  private static let scenarios = HelpTopic(
    "scenarios", "Responses to the app's own requests: `serve --scenario`, POST stubs.",
    articles: ["Command"],
    [
      .lines(scenario),
      .rows([
        ("request", "A path with or without a method; :id stands for a segment, * for any rest."),
        ("query, requestHeaders, body", "What a request must contain for this stub to match it."),
        ("status", "200 by default."),
        ("headers", "Header fields; an array for several of one name."),
        (
          "json, text, file",
          "The body: one of them. A file's path begins in the scenario's folder, and POST stubs has none."
        ),
        ("delay", "Seconds before the first byte."),
        (
          "fault",
          "{\"at\": …, \"effect\": …}: at \(list(HTTPFault.Position.self, but: .accept)); effect \(list(HTTPFault.Effect.self))."
        ),
        ("responses", "An array of such responses: each is sent once, the last one from then on."),
        ("times", "After so many requests, other stubs respond."),
      ]),
      .text("Of stubs that match, one with a literal path responds, then one with more conditions, then the last."),
    ])

  /// The example of a scenario.
  static let scenario = """
    [
      {"request": "GET /books/:id", "json": {"id": 42, "title": "Walden"}},
      {"request": "POST /orders", "body": {"sku": "lamp"},
       "responses": [{"status": 503, "delay": 0.5}, {"status": 201}]},
      {"request": "GET /prices", "times": 1,
       "fault": {"at": "responseBody", "effect": "reset"}}
    ]
    """

  private static let formats = HelpTopic(
    "formats", "Events in the shape of an SDK, or in your own: `serve --accept`.",
    articles: ["OtherRunners", "OtherSenders"],
    [
      .text(
        "SDKs: \(SDKName.all.map(\.word).joined(separator: ", ")), or all. `tracking sdks NAME` shows the URL to give to one."
      ),
      .text("A file that ends in .json describes bodies of another shape by paths:"),
      .lines(format),
      .rows([
        ("request", "The method and the path to which the app posts. Must be there."),
        ("events", "The path of the events; without it, the body is one event."),
        ("where", "Members that an item has if it is an event."),
        ("name", "The path of the name. Must be there."),
        ("params", "The path of the params; without it, they are what is left."),
        ("id", "Identifies an event that is sent again."),
        ("time, at", "The paths of its time, and of the line that tracked it."),
        ("status, headers, json, text", "The response; 200 by default."),
      ]),
      .text("Without --accept, and beside it, an app posts {\"name\": …, \"params\": {…}} to TRACKING_URL."),
    ])

  /// The example of a format.
  static let format = """
    {"request": "POST /track", "events": "items[]", "where": {"kind": "event"},
     "name": "event", "params": "data", "id": "uid"}
    """

  private static let environment = HelpTopic(
    "environment", "The variables that are read and written.", articles: ["EnvironmentVariables"],
    [
      .groups([
        ("Of the command", variables.map { ($0.name, $1 + values(of: $0)) }),
        (
          "Of the app, which `serve` prints and --write-env writes",
          [
            (LaunchVariable.url.name, "The URL to which it sends its events."),
            (LaunchVariable.session.name, "The token that it sends with them."),
          ]
        ),
        ("Of a run of tests in Swift", testVariables.map { ($0.name, $1 + values(of: $0)) }),
      ]),
      .text("An empty variable is the same as none. NO_COLOR turns colors off. If CI is set, nothing is recorded."),
    ])

  static let variables: [(TestVariable, String)] = [
    (.serve, "The URL of a running `serve`, for wait, mark and finish; or --env."),
    (.serveURL, "Its part in front of the token, for scripts."),
    (.serveToken, "Its token, for scripts: \"Authorization: Bearer TOKEN\"."),
    (.timeoutScale, "A factor for all timeouts, for slow machines."),
  ]

  static let testVariables: [(TestVariable, String)] = [
    (.plan, "The tracking plan that each test is checked against."),
    (.observations, "A folder for what tests observe, which coverage, compare and draft read."),
    (.run, "A name that the processes of one run share."),
    (.flows, "Records the flows that tests compare."),
    (.record, "The use of recordings of the backend."),
    (.inspector, "Opens the live page, for each test or after a failure."),
    (.mutations, "Finds the changes of events that no test would notice."),
    (.attachments, "A folder for the attachments of XCTest on Linux."),
  ]

  private static func values(of variable: TestVariable) -> String {
    variable.values.map { " Values: \($0.joined(separator: ", "))." } ?? ""
  }

  private static let exitCodes = HelpTopic(
    "exit-codes", "The exit status of each verb.", articles: ["Command", "InCI"],
    [
      .rows(Status.all.map { ("\($0.rawValue)", $0.meaning) }),
      .text("Status 1 of each verb; the others never end with it:"),
      .rows(
        Command.verbs.filter { !$0.findings.isEmpty }.map {
          ($0.name, $0.findings.prefix(1).uppercased() + $0.findings.dropFirst() + ".")
        }),
    ])

  private static func list<Word: RawRepresentable<String> & CaseIterable & Equatable>(
    _ type: Word.Type, but excluded: Word? = nil
  ) -> String { type.allCases.filter { $0 != excluded }.map(\.rawValue).joined(separator: ", ") }
}
