import TrackingJSON

extension Route {
  static let mark = Route(
    method: "POST", path: "marks", name: "mark", summary: "Takes a mark, after everything that has arrived.",
    body: .object(markForms),
    result: ("The mark.", .object(Forms([.required("mark", .text())])))
  ) { service, call in
    let form = try markForms.check(call.json)
    let mark = try service.mark(
      isDefault: call.json["asDefault"] != nil, test: form == 0 ? call.json["test"]?.string() : nil)
    return .success(["mark": .string(mark)])
  }

  private static let asDefault = (
    name: "asDefault", sentence: "Begins a test: checks, entries and the finish without a mark look from here on."
  )
  private static let markForms = Forms([
    Form(
      "test",
      [
        .required(asDefault.name, .yes, asDefault.sentence),
        .required("test", .text("a test's name"), "The test's name, for the session, the page and JUnit."),
      ], missing: .init("", "a test begins at the default mark: add \"asDefault\": true")),
    Form(nil, [.init(asDefault.name, .yes, asDefault.sentence)]),
  ])
}
