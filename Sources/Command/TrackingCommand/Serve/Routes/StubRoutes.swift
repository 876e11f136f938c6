import TrackingJSON

extension Route {
  static let stub = Route(
    method: "POST", path: "stubs", name: "stub",
    summary: "Installs stubs: an array of them, as `tracking serve --scenario` reads it.",
    body: .list(
      .named(
        .init(
          name: "Stub",
          sentence:
            "Responses for the requests that a check with the same members finds; of equal stubs the last responds.",
          shape: .object(StubForm.forms(hasFolder: false))))), needsBody: true,
    result: ("The number of stubs.", .object(Forms([.required("stubs", .integer(0 ... .max, "a number"))])))
  ) { service, call in
    try .success(["stubs": .int(service.install(ScenarioFile(call.json, hasFolder: false).stubs))])
  }

  static let unstub = Route(
    method: "DELETE", path: "stubs", name: "unstub", summary: "Removes the stubs that were installed here.",
    result: ("None is left.", .object(Forms([.required("stubs", .constant(0))])))
  ) { service, _ in
    service.removeStubs()
    return .success(["stubs": 0])
  }
}
