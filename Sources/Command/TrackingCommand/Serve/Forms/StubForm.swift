import StubModel
import TrackingJSON

/// The forms of a stub and of its responses, in a scenario and in `POST stubs`.
enum StubForm {
  /// - Parameter hasFolder: Whether responses may name files beside the scenario.
  static func forms(hasFolder: Bool) -> Forms {
    let stub: [FormMember] = [
      .request(
        "A path with or without a method; :id stands for a segment, * for any rest: `GET /books/:id`, `/images/*`."
      ), .query, .requestHeaders, .body,
      .init("times", .integer(1 ... .max, "a number of at least 1"), "The number of requests that it responds to."),
    ]
    let earlier = ["path", "method"].map { name in
      Form.Note(name, "is unknown here; write \"request\": \"GET /books/:id\"")
    }
    let contents = contents(hasFolder: hasFolder)
    let response = Shape.object(responses(hasFolder: hasFolder))
    let several = Form(
      "responses",
      stub + [
        .required(
          "responses",
          .list(
            hasFolder ? response : .named(.init(name: "StubResponse", shape: response)), atLeast: 1, "response"),
          "Responses that are sent one after the other; the last one repeats.")
      ],
      notes: earlier
        + (parts + contents).map { .init($0.name, "is there besides responses; write it in each of them") })
    return Forms(
      [several] + responses(hasFolder: hasFolder).all.map { Form($0.selector, stub + $0.members, notes: earlier) },
      one: oneBody)
  }

  /// The forms of a response: with a body of one kind, or without one.
  static func responses(hasFolder: Bool) -> Forms {
    Forms(
      contents(hasFolder: hasFolder).map { Form($0.name, parts + [.required($0.name, $0.shape, $0.help)]) }
        + [Form(nil, parts)], one: oneBody)
  }

  private static let oneBody = "a response has one body"

  private static func contents(hasFolder: Bool) -> [FormMember] {
    [
      .init("json", .json(isNullable: true), "The body, as JSON, with its numbers as they are written."),
      .init("text", .text(), "The body."),
    ] + (hasFolder ? [.init("file", .text(), "The body: the path of a file, from the scenario's folder on.")] : [])
  }

  static let status = FormMember(
    "status", .integer(200...599, "a status from 200 to 599"), "200 by default.")
  static let headers = FormMember(
    "headers", .map(.any([.text(), .list(.text())], "a string")),
    "Header fields; an array is a field of that name for each element.")

  private static let positions = HTTPFault.Position.ofStubs.map(\.rawValue)
  private static let effects = HTTPFault.Effect.allCases.map(\.rawValue)

  private static let parts: [FormMember] = [
    status, headers, .init("delay", .seconds, "Seconds before the first byte."),
    .init(
      "fault", .object(Forms([.required("at", .words(positions)), .required("effect", .words(effects))])),
      "{\"at\": …, \"effect\": …}: at \(positions.joined(separator: ", ")); effect \(effects.joined(separator: ", "))."),
  ]
}
