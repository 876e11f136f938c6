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
  /// The names of verbs and topics, which have a page of help.
  static let pages = AllVerbs.list.map(\.name) + all.map(\.name)

  private init(_ name: String, _ abstract: String, articles: [String], _ parts: [HelpPart]) {
    (self.name, self.abstract) = (name, abstract)
    help = [.text(abstract)] + parts + [.articles(articles)]
  }

  private static let waits = HelpTopic(
    "waits", "The checks of `tracking wait` and of POST wait.", articles: ["OtherRunners", "Checks"],
    [
      .text("Words: an event's name and params, or a request and its response's status."),
      .examples([
        (
          "purchase total=120 items[0].price<=5 email=*",
          "An event with at least these params has arrived; =* is any value but null."
        ),
        ("POST /orders responded=201", "The app has sent this request, and got this status."),
      ]),
      .text("JSON, as one argument, or from standard input with -:"),
      .examples(JSONCheck.examples.map { ($0.json, $0.meaning) }),
      .text(
        """
        A check may have "since", a mark, and "timeout", in seconds, 5 by default, or "within" in place of it, 0.25 by \
        default. Without a mark, it looks at what arrived since the last `tracking mark --as-default`, or the start.
        """),
    ])

  private static let scenarios = HelpTopic(
    "scenarios", "Responses to the app's own requests: `serve --scenario`, POST stubs.",
    articles: ["Command"],
    [
      .lines(scenario),
      .rows(rows(of: StubForm.forms(hasFolder: true))),
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
      .rows(rows(of: FormatFile.forms)),
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
        ("Of the command", rows(of: TestVariable.all.filter(\.isOfCommand))),
        (
          "Of the app, which `serve` prints and --write-env writes",
          [
            (LaunchVariable.url.name, "The URL to which it sends its events."),
            (LaunchVariable.session.name, "The token that it sends with them."),
          ]
        ),
        ("Of a run of tests in Swift", rows(of: TestVariable.all.filter { !$0.isOfCommand })),
      ]),
      .text("An empty variable is the same as none. NO_COLOR turns colors off. If CI is set, nothing is recorded."),
    ])

  private static func rows(of variables: [TestVariable]) -> [(name: String, text: String)] {
    variables.map { ($0.name, $0.meaning.prefix(1).uppercased() + $0.meaning.dropFirst() + ".") }
  }

  private static let exitCodes = HelpTopic(
    "exit-codes", "The exit status of each verb.", articles: ["Command", "InCI"],
    [
      .rows(Status.all.map { ("\($0.rawValue)", $0.meaning) }),
      .text("Status 1 of each verb; the others never end with it:"),
      .rows(
        AllVerbs.list.filter { !$0.findings.isEmpty }.map {
          ($0.name, $0.findings.prefix(1).uppercased() + $0.findings.dropFirst() + ".")
        }),
    ])

  /// A row for each member of an object.
  private static func rows(of forms: Forms) -> [(name: String, text: String)] {
    forms.members.map { member in
      let isRequired = forms.all.allSatisfy { $0.member(member.name)?.isRequired ?? false }
      return (member.name, member.help + (isRequired ? " Must be there." : ""))
    }
  }
}
