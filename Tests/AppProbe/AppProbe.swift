import Foundation
import StubbedSession
import TrackerDouble
import TrackingModel

/// An app as small as can be, for tests that need a real second process: it does what the lines on its standard input say.
///
/// `track <first> <last>` tracks an event for each number; `sites` tracks events from several lines, and `order` one event from two files; `flush` waits until all is delivered and prints the counts; `get <url>` uses a
/// session with the stubs that were passed, `register` registers them for `URLSession.shared`, which `shared <url>` uses, and prints the
/// status and the body, or the error; `crash` crashes. `LAUNCH_FOLDER` is a folder to share the launch through; with `LAUNCH_FOLDER_REFUSES` the provider is refused
/// after the test. At the end of its input it flushes and exits. It links what an app links and nothing else, so its needed
/// libraries are an app's.
@main
enum AppProbe {
  static func main() async {
    guard let tracker = TrackerDouble(launchFolder: launchFolder) else {
      print("no endpoint was passed")
      exit(2)
    }
    // Not before it is used: on Linux `URLSession.shared` uses the protocols that were registered before any session was made.
    var session: URLSession?
    while let line = readLine() {
      let words = line.split(separator: " ")
      switch words.first {
      case "track": track(words.dropFirst().compactMap { Int($0) }, tracker)
      case "sites": await CallSites.track(tracker)
      case "order":
        tracker.track(TrackingEvent(name: "order_placed", params: ["orderID": "A-1001"]))
        CallSites.order(tracker)
      case "flush": report(tracker)
      case "get":
        let used =
          session ?? StubbedSession(scenarios: Scenario.self, launchFolder: launchFolder)?.urlSession() ?? .shared
        session = used
        get(words.dropFirst().first.flatMap { URL(string: String($0)) }, used)
      case "crash": fatalError("no database")
      case "register": StubbedSession(scenarios: Scenario.self, launchFolder: launchFolder)?.register()
      case "shared": get(words.dropFirst().first.flatMap { URL(string: String($0)) }, .shared)
      default: print("no such command: \(line)")
      }
    }
    _ = tracker.flush(timeout: 30)
  }

  private static let launchFolder: LaunchFolder? = {
    let environment = ProcessInfo.processInfo.environment
    return environment["LAUNCH_FOLDER"].map {
      .url(URL(filePath: $0), refusesWithoutVerifier: environment["LAUNCH_FOLDER_REFUSES"] != nil)
    }
  }()

  private static func track(_ bounds: [Int], _ tracker: TrackerDouble) {
    guard bounds.count == 2, bounds[0] <= bounds[1] else { return }
    for number in bounds[0]...bounds[1] {
      tracker.track(TrackingEvent(name: "counted", params: ["number": .int(number)]))
    }
  }

  private enum Scenario: String, CaseIterable, StubScenario {
    case greeting

    var stubs: [StubEndpoint] { [StubEndpoint(.get, "/greeting", .text("hello"))] }
  }

  private static func get(_ url: URL?, _ session: URLSession) {
    guard let url else { return print("no URL") }
    let isDone = DispatchSemaphore(value: 0)
    session.dataTask(with: url) { data, response, error in
      let status = (response as? HTTPURLResponse)?.statusCode ?? 0
      print(error?.localizedDescription ?? "\(status) \(String(decoding: data ?? Data(), as: UTF8.self))")
      fflush(nil)
      isDone.signal()
    }.resume()
    isDone.wait()
  }

  private static func report(_ tracker: TrackerDouble) {
    let isDelivered = tracker.flush(timeout: 30)
    print("\(isDelivered ? "delivered" : "not delivered"): \(tracker.delivery)")
    fflush(nil)
  }
}
