import TrackingJSON
import StubModel
import TrackingModel
import TrackingPlan
import TrackingServer

/// The subject of a finding: the events of a name, or the requests of a method and a path.
enum MutatedSubject: Hashable {
  case events(String)
  /// The method and the path with its stub's params: `GET /books/:id`. The stub's other conditions may name this run's port.
  case requests(method: ReceivedRequest.Method, path: String)

  init?(_ entry: JournalEntry) {
    switch entry {
    case .event(let recorded): self = .events(recorded.event.name)
    case .request(let request):
      self = .requests(
        method: request.method, path: request.stub?.pathTemplate ?? String(request.target.prefix { $0 != "?" }))
    case .rejection: return nil
    }
  }

  func add(_ finding: MutationReport.Subject, to report: inout MutationReport) {
    switch self {
    case .events(let name): report.events[name] = finding
    case .requests(let method, let path): report.requests["\(method) \(path)"] = finding
    }
  }

  /// Swift code for a pattern of all its entries.
  var pattern: String {
    switch self {
    case .events(let name): ".named(\(name.swiftLiteral))"
    case .requests(let method, let path): ".request(\(SwiftText.method(method.rawValue)), \(path.swiftLiteral))"
    }
  }

  /// Swift code for a pattern's argument that checks the value.
  func suggestion(for site: ValueSite) -> String? {
    guard let literal = SwiftText.matcher(site.value) else { return nil }
    let member = "[\(site.path.description.swiftLiteral): \(literal)]"
    switch self {
    case .events: return "params: \(member)"
    case .requests:
      guard site.path.steps.count == 1, case .member = site.path.steps[0] else { return nil }
      return "body: .jsonSubset(\(member))"
    }
  }
}
