import TrackingJSON

extension Route {
  static let finish = Route(
    method: "POST", path: "finish", name: "finish",
    summary: "Ends a test: lost events, the plan, requests without a stub, late matches.",
    body: .object(finishForms), result: ("The failures that no check has reported.", .object(Forms(finishResponse)))
  ) { service, call in
    try finishForms.check(call.json)
    return try service.finish(test: call.json["test"]?.string(), since: call.json["since"]?.string())
  }

  private static let finishForms = Forms([
    .init("since", .mark, "By default, the default mark, or the last finish if that is later."),
    .init("test", .text("a test's name"), "The name of the test that ends."),
  ])

  private static let finishResponse: [FormMember] = [
    .required("passed", .bool), .required("failures", .list(failure)),
    .required("server", .text(), "The server's name, which stands for a test without one."),
    .required(
      "tests",
      .list(
        .object(
          Forms([
            .required("name", .text()), .required("seconds", .number(0 ... .infinity, "seconds")),
            .required("failures", .list(failure), "Those of its checks and of its finish."),
          ]))),
      "The server's tests so far. A finish with nothing received since the last one adds none, unless it has failures or another name."
    ),
    .required("files", .map(.text())),
  ]

  private static let failure = Shape.named(
    .init(
      name: "Failure",
      shape: .object(
        Forms([.required("kind", .text(), "`tooFew`, `unmatchedRequest`, …"), .required("message", .text())]))))
}
