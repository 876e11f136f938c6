import StubModel
import TrackingJSON
import TrackingModel
import TrackingServer

/// A request that ``CheckService`` responds to: the one place for its method, its path, its members and its response.
struct Route: Sendable {
  /// A request with its members as JSON.
  struct Call: Sendable {
    let request: ReceivedRequest
    let json: JSONNode
  }

  let method: String
  /// The path's last part.
  let path: String
  /// The operation's name for generated clients.
  let name: String
  let summary: String
  /// The members of the query; `nil` if the route takes no query.
  var query: Forms?
  var fields: [FormMember] = []
  /// The body; `nil` if the route takes no body.
  var body: Shape?
  var needsBody = false
  let result: (sentence: String, shape: Shape)
  var needsToken = true
  /// Whether the response may be held back, and refused if too many are.
  var isHeldBack = false
  let respond: @Sendable (CheckService, Call) throws -> PageOutcome

  static let all: [Route] = [.wait, .mark, .entries, .stub, .unstub, .finish, .description]

  /// The methods of a path: `DELETE, POST`.
  static func methods(of path: String) -> String? {
    let methods = all.filter { $0.path == path }.map(\.method).sorted()
    return methods.isEmpty ? nil : methods.joined(separator: ", ")
  }

  /// All paths with their methods: `GET entries; POST finish`.
  static var list: String {
    Set(all.map(\.path)).sorted().map { "\(methods(of: $0) ?? "") \($0)" }.joined(separator: "; ")
  }

  // MARK: - Reading

  /// Reads the query or the body.
  ///
  /// - Throws: The mistake and its place.
  func call(_ request: ReceivedRequest) throws -> Call {
    if let query { return Call(request: request, json: try Self.json(request.query, query.members)) }
    if let item = request.query.items.first {
      throw CommandError("the query has \"\(item.name)\", but \(path) takes members of a JSON object in the body")
    }
    let bytes = request.body.isEmpty && !needsBody ? Array("{}".utf8) : Array(request.body)
    do throws(JSONError) {
      return Call(request: request, json: try JSONNode(bytes))
    } catch {
      throw CommandError(error.text(in: bytes))
    }
  }

  /// The items of a query as the members of an object, with lists for values with commas, and `false`.
  private static func json(_ query: ReceivedFields, _ known: [FormMember]) throws -> JSONNode {
    var members: [JSONTree.Member] = []
    for item in query.items {
      guard !members.contains(where: { $0.key == item.name }) else { throw CommandError("\(item.name) is there twice") }
      let member = known.first { $0.name == item.name }
      let value: JSONTree =
        switch member?.shape {
        case .list?: JSONTree(of: item.value.split(separator: ",", omittingEmptySubsequences: false).map(String.init))
        case .constant?: item.value == "false" ? false : JSONTree(item.value)
        default: JSONTree(item.value)
        }
      members.append(.init(item.name, value))
    }
    return try JSONNode(Array(JSONTree(.object(members)).text(.compact).utf8))
  }

  // MARK: - The description

  fileprivate var operation: JSONTree {
    let parameters =
      fields.map { $0.parameter(in: "header") } + (query?.members ?? []).map { $0.parameter(in: "query") }
    return [
      "operationId": JSONTree(name), "summary": JSONTree(summary), "security": needsToken ? nil : [],
      "parameters": parameters.isEmpty ? nil : JSONTree(.array(parameters)),
      "requestBody": body.map { body in
        ["required": JSONTree(booleanLiteral: needsBody), "content": Self.content(body.schema)]
      }, "responses": responses,
    ]
  }

  private var responses: JSONTree {
    let refusals = needsToken ? RouteRefusal.allCases.filter { isHeldBack || $0 != .unavailable } : []
    let result: JSONTree = ["description": JSONTree(result.sentence), "content": Self.content(result.shape.schema)]
    return JSONTree(
      .object(
        [.init("200", result)]
          + refusals.map { .init("\($0.rawValue)", ["$ref": JSONTree("#/components/responses/\($0.name)")]) }))
  }

  fileprivate static func content(_ schema: JSONTree) -> JSONTree { ["application/json": ["schema": schema]] }

  fileprivate var shapes: [Shape] { [body, result.shape].compactMap(\.self) + (query?.members ?? []).map(\.shape) }
}

/// A refusal that each route with a token may send.
private enum RouteRefusal: Int, CaseIterable {
  case mistake = 400
  case unauthorized = 401
  case tooLarge = 413
  case unavailable = 503

  var name: String {
    switch self {
    case .mistake: "Mistake"
    case .unauthorized: "Unauthorized"
    case .tooLarge: "TooLarge"
    case .unavailable: "Unavailable"
    }
  }

  var sentence: String {
    switch self {
    case .mistake:
      #"A mistake in the request, with its place: `inOrder[1].responded: expected a status, found "yes"`."#
    case .unauthorized: "The token is missing or wrong."
    case .tooLarge: "The request is larger than 1 MiB."
    case .unavailable: "The server ended before the response was known, or too many checks are held back."
    }
  }
}

extension FormMember {
  fileprivate func parameter(in place: String) -> JSONTree {
    let isList = if case .list = shape { true } else { false }
    return [
      "name": JSONTree(name), "in": JSONTree(place), "schema": shape.schema, "style": isList ? "form" : nil,
      "explode": isList ? false : nil, "description": ownHelp.isEmpty ? nil : JSONTree(ownHelp),
    ]
  }
}

extension CheckService {
  /// The OpenAPI 3.1 description of the requests: `GET openapi.json`.
  static let description = openAPI.text(.lines) + "\n"

  private static var openAPI: JSONTree {
    [
      "openapi": "3.1.0",
      "info": [
        "title": "Checks by `tracking serve`", "version": "1",
        "description":
          "A test in any language checks what an app has tracked and requested. A response that isn't known is held back until it is; nothing polls.",
        "license": ["name": "See the repository"],
      ],
      "servers": [
        ["url": "http://localhost:{port}/-tracking/v1", "variables": ["port": ["default": "8080"]]]
      ],
      "security": [["token": []]], "paths": paths,
      "components": [
        "securitySchemes": [
          "token": [
            "type": "http", "scheme": "bearer",
            "description": "The token of the URL that `tracking serve` prints.",
          ]
        ],
        "responses": JSONTree(
          .object(
            RouteRefusal.allCases.map { refusal in
              .init(
                refusal.name,
                ["description": JSONTree(refusal.sentence), "content": Route.content(Shape.error.schema)])
            })),
        "schemas": JSONTree(.object(definitions.map { .init($0.name, $0.schema) })),
      ],
    ]
  }

  private static var paths: JSONTree {
    let paths = Route.all.reduce(into: [String]()) { if !$0.contains($1.path) { $0.append($1.path) } }
    return JSONTree(
      .object(
        paths.map { path in
          let routes = Route.all.filter { $0.path == path }
          return .init("/\(path)", JSONTree(.object(routes.map { .init($0.method.lowercased(), $0.operation) })))
        }))
  }

  private static var definitions: [Shape.Definition] {
    (Route.all.flatMap(\.shapes) + [.error]).flatMap(\.definitions).reduce(into: []) { known, definition in
      if !known.contains(where: { $0.name == definition.name }) { known.append(definition) }
    }
  }
}

extension Shape {
  fileprivate static let error = Shape.named(.init(name: "Error", shape: .object(Forms([.required("error", .text())]))))
}
