import TrackingJSON

extension Route {
  static let entries = Route(
    method: "GET", path: "entries", name: "entries",
    summary: "What has arrived, in order: events, requests and rejected submissions.", query: EntryQuery.forms,
    result: (
      "The entries, as in session.json.",
      .object(
        Forms([
          .required(
            "counts",
            .object(Forms(EntryQuery.Kind.allCases.map { .init($0.rawValue, .integer(0 ... .max, "a number")) })),
            "The number of these entries of each kind."), .required("entries", .entries),
        ]))
    )
  ) { service, call in try service.entries(EntryQuery(call.json)) }
}
