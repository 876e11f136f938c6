import TrackingJSON

extension Route {
  static let description = Route(
    method: "GET", path: "openapi.json", name: "description", summary: "This description.",
    result: ("OpenAPI 3.1.", .map()), needsToken: false
  ) { _, _ in .json(Array(CheckService.description.utf8), status: 200) }
}
