import FlyingFox
import Foundation

/// FlyingFox doing the same: each event is decoded to a value and kept.
@main
enum FlyingFoxContestant {
  static func main() async throws {
    let store = Store()
    let server = HTTPServer(address: try .inet(ip4: "127.0.0.1", port: 0), logger: .disabled)
    await server.appendRoute("POST /") { request in
      try await store.append(JSONDecoder().decode(DecodedSubmission.self, from: request.bodyData))
      return HTTPResponse(statusCode: .noContent)
    }
    Task { try await server.run() }
    try await server.waitUntilListening()
    if case .ip4(_, let port) = await server.listeningAddress { print(port) }
    if case .ip6(_, let port) = await server.listeningAddress { print(port) }
    fflush(nil)
    await Task.detached { while readLine() != nil {} }.value
    exit(0)
  }
}

private actor Store {
  private var events: [Event] = []

  func append(_ submission: DecodedSubmission) {
    events += submission.events
  }
}

/// One event, or an array of them.
private struct DecodedSubmission: Decodable {
  let events: [Event]

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    events = try (try? [container.decode(Event.self)]) ?? container.decode([Event].self)
  }
}

private struct Event: Decodable {
  struct Params: Decodable {
    let screen: String
    let index: Int
    let price: Double
  }

  let name: String
  let params: Params
}
