import Foundation
import Hummingbird
import Logging

/// Hummingbird doing the same: each event is decoded to a value and kept.
@main
enum HummingbirdContestant {
  static func main() async throws {
    let store = Store()
    let router = Router()
    router.post("/") { request, context in
      await store.append(try await request.decode(as: DecodedSubmission.self, context: context))
      return HTTPResponse.Status.noContent
    }
    var logger = Logger(label: "contestant")
    logger.logLevel = .critical
    let application = Application(
      router: router,
      configuration: .init(address: .hostname("127.0.0.1", port: 0)),
      onServerRunning: { channel in
        // Not `print`: flushing would wait for the thread that reads standard input.
        FileHandle.standardOutput.write(Data("\(channel.localAddress?.port ?? 0)\n".utf8))
      },
      logger: logger)
    Thread.detachNewThread {
      while readLine() != nil {}
      exit(0)
    }
    try await application.runService()
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
