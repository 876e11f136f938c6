import TrackingJSON
import TrackingModel

extension Route {
  static let wait = Route(
    method: "POST", path: "wait", name: "wait", summary: "Waits until a check passes or fails.",
    fields: [
      .init(
        CheckService.scaleField, .number(0...100, isAbove: true, "a number greater than 0 and at most 100"),
        "A factor for the timeout and the settling time; by default, the variable \(TestVariable.timeoutScale.name) of the server."
      )
    ],
    body: .named(.init(name: "Check", shape: .object(JSONCheck.forms))), needsBody: true,
    result: ("The check has passed or failed.", .checkResponse), isHeldBack: true
  ) { service, call in try service.wait(RunnerCheck(call.json), call.request) }
}

extension Shape {
  fileprivate static let checkResponse = Shape.named(
    .init(
      name: "CheckResponse",
      shape: .object(
        Forms([
          Form(
            nil,
            [.required("passed", .constant(true)), .required("entries", .entries), .init("warning", .text(), warning)]),
          Form(
            nil,
            [
              .required("passed", .constant(false)), .required("kind", .text(), "The kind of the failure: `tooFew`."),
              .required("message", .text(), "The failure in words; its first line is complete alone."),
              .required("entries", .entries), .init("warning", .text(), warning), .init("nearest", nearest),
            ]),
        ]))))

  private static let warning =
    "Why the check may miss something: the plan doesn't have its event, or events came without numbers."
  private static let nearest = Shape.object(
    Forms([.required("number", .integer(.min ... .max, "")), .required("differences", .list(difference))]))

  private static let difference = Shape.named(
    .init(
      name: "Difference", sentence: "What differs between an entry and what the check expected.",
      shape: .object(
        Forms([
          .init(
            "param", .text(),
            "The path of a param, or the part of a request: `items[0].price`, `path`. Missing if the event as a whole differs, as by its name."
          ),
          .init(
            "expected", .json(isNullable: true),
            "The expected value, the condition on it in words, or the broken keyword of `paramsSchema`; missing for a param that shouldn't be there."
          ), .init("found", .json(isNullable: true), "The value that arrived; missing if the entry has none."),
          .required("reason", .text(), "The difference in words."),
        ]))))

  static let entries = Shape.named(.init(name: "Entries", shape: .list(entry)))

  private static let number = Shape.integer(.min ... .max, "")
  private static let entry = Shape.object(
    Forms([
      Form(
        nil,
        [
          .required("kind", .words(["event", "request", "rejection"])), .required("number", number),
          .required("milliseconds", .number(-.infinity ... .infinity, "")),
          .init(
            "at", .text(), "The line of the app that tracked an event: `Shop/CheckoutModel.swift:41`."),
          .init("launch", .text(), "The launch of the app."),
        ], isOpen: true),
      Form(
        nil,
        [
          .required("kind", .words(["lost"])), .required("launch", .text(), "The launch of the app."),
          .required("count", number, "The number of events of a launch that were tracked and never arrived."),
        ], isOpen: true),
    ]))
}
