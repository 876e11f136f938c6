@testable import TrackingCommand
import TestSupport
import TrackingJSON
import TrackingPlan
import TrackingVerifier

/// A running `tracking serve`, as a runner sees it.
struct Served: Sendable {
  /// The URL of the app's events.
  let events: String
  /// The URL of the checks, with its token.
  let checks: String

  var token: String { String(checks.split(separator: "=").last ?? "") }

  /// The status and the JSON of a response.
  func send(
    _ method: String, _ path: String, _ body: String? = nil, token: String? = nil, scale: String? = nil
  ) async throws -> (status: Int?, json: TrackingValue) {
    let url = checks.prefix { $0 != "#" }
    var request = URLRequest(url: try XCTUnwrap(URL(string: "\(url)\(path)")))
    request.httpMethod = method
    request.httpBody = body.map { Data($0.utf8) }
    request.timeoutInterval = 120
    request.setValue("Bearer \(token ?? self.token)", forHTTPHeaderField: "Authorization")
    request.setValue(scale, forHTTPHeaderField: "Tracking-Timeout-Scale")
    let (data, response) = try await Self.session.data(for: request)
    let json = try JSONDecoder().decode(TrackingValue.self, from: data)
    let status = (response as? HTTPURLResponse)?.statusCode
    try assertDescribed(json, status ?? 0, method, path)
    return (status, json)
  }

  /// Asserts that a response is valid against the server's description, unless that lacks the request.
  private func assertDescribed(_ json: TrackingValue, _ status: Int, _ method: String, _ path: String) throws {
    let path = "/\(path.prefix { $0 != "?" })"
    guard let operation = Self.description["paths"]?[path]?[method.lowercased()] else { return }
    let key = "\(method) \(path) \(status)"
    let schema = try Self.schemas.withLock { schemas in
      if let schema = schemas[key] { return schema }
      var response = try XCTUnwrap(operation["responses"]?["\(status)"], key)
      if let name = response["$ref"]?.stringValue?.split(separator: "/").last {
        response = try XCTUnwrap(Self.description["components"]?["responses"]?[String(name)])
      }
      let schema = try Self.schema(response["content"]?["application/json"]?["schema"], in: Self.description)
      schemas[key] = schema
      return schema
    }
    XCTAssertTrue(schema.isValid(json), "\(key): \(json)")
  }

  private static let schemas = Locked<[String: ParamsSchema]>([:])

  /// The description of the requests, whose definitions are where a separate schema has them.
  private static let description = {
    let text = CheckService.description.replacing("#/components/schemas/", with: "#/$defs/")
    return (try? JSONDecoder().decode(TrackingValue.self, from: Data(text.utf8))) ?? .null
  }()

  /// A schema of a description, which its references lead into.
  static func schema(_ part: TrackingValue?, in description: TrackingValue) throws -> ParamsSchema {
    guard case .object(var members)? = part else {
      throw ToolTestCase.Missing(line: "a schema", found: "\(part ?? .null)")
    }
    members["$defs"] = description["components"]?["schemas"]
    return try ParamsSchema(JSONTree(of: .object(members)))
  }

  func wait(_ check: String, scale: String? = nil) async throws -> TrackingValue {
    let (status, json) = try await send("POST", "wait", check, scale: scale)
    XCTAssertEqual(status, 200, "\(json)")
    return json
  }

  private static let session = {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpMaximumConnectionsPerHost = 1_000
    return URLSession(configuration: configuration)
  }()
}

extension TrackingValue {
  subscript(name: String) -> TrackingValue? {
    if case .object(let members) = self { members[name] } else { nil }
  }

  subscript(index: Int) -> TrackingValue? {
    if case .array(let elements) = self, elements.indices.contains(index) { elements[index] } else { nil }
  }
}
