import BlockingClient
import Foundation
import Measuring
import TrackingModel
import TrackingPlan
import TrackingServer

/// The cost of a plan of 500 events: reading it, and checking events against it.
///
///     PlanCost ROUNDS
@main
enum PlanCost {
  private static let plannedEvents = 500
  /// Events of one request.
  private static let eventsAtOnce = 1_000

  static func main() throws {
    let rounds = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 9
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("plan-cost-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let file = folder.appendingPathComponent("plan.json")
    try Data(planText.utf8).write(to: file)

    var samples = Samples()
    for _ in 0..<rounds {
      let began = cpuTime()
      let plan = try TrackingPlan(contentsOf: file)
      precondition(plan.findings(in: event(0)).isEmpty)
      samples.add((cpuTime() - began) / .milliseconds(1), of: .reading)
      try measureEvents(plan, &samples)
    }
    samples.write(inOrderOf: [.receiving, .judging, .reading])
  }

  // MARK: Events

  private static func measureEvents(_ plan: TrackingPlan, _ samples: inout Samples) throws {
    let server = TrackingServer()
    try server.start()
    defer { server.stop() }
    let events = (0..<eventsAtOnce).map { event($0) }
    let body = try JSONEncoder().encode(events)
    let head =
      "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: \(body.count)\r\n\r\n"
    let request = Array(head.utf8) + Array(body)
    let descriptor = blockingClientConnect(Int32(server.endpoint?.url.port ?? 0))
    defer { blockingClientClose(descriptor) }
    // The first of both pays for what is done once.
    for isMeasured in [false, true] {
      var began = cpuTime()
      precondition(write(descriptor, request, request.count) == request.count, "not sent")
      var response = [UInt8](repeating: 0, count: 4_096)
      precondition(read(descriptor, &response, response.count) > 0, "no response")
      let received = (cpuTime() - began).microseconds
      began = cpuTime()
      for event in events { precondition(plan.findings(in: event).isEmpty) }
      let judged = (cpuTime() - began).microseconds
      guard isMeasured else { continue }
      samples.add(received / Double(eventsAtOnce), of: .receiving)
      samples.add(judged / Double(eventsAtOnce), of: .judging)
    }
    precondition(server.journal.events.count == 2 * eventsAtOnce, "not all events were recorded")
  }

  /// Nine params, two of them nested, as the plan wants them.
  private static func event(_ number: Int) -> TrackingEvent {
    TrackingEvent(
      name: "event_\(number % plannedEvents)",
      params: [
        "product_id": "product-42", "quantity": 2, "price": 24.5, "currency": "EUR", "is_gift": false,
        "screen": "product",
        "source": "list", "item": ["name": "Desk lamp", "rating": 4.5], "tags": ["new", "lamp"],
      ])
  }

  private static var planText: String {
    let params = """
      "product_id": {"type": "string", "minLength": 1}, "quantity": {"type": "integer", "minimum": 1},
      "price": {"type": "number", "minimum": 0}, "currency": {"enum": ["EUR", "USD"]}, "is_gift": {"type": "boolean"},
      "screen": {"type": "string", "optional": true}, "source": {"enum": ["list", "search", "recommendation"]},
      "item": {"type": "object", "properties": {"name": {"type": "string"}, "rating": {"type": "number"}}},
      "tags": {"type": "array", "items": {"type": "string"}, "maxItems": 10}
      """
    let events = (0..<plannedEvents).map {
      #""event_\#($0)": {"description": "Event \#($0).", "params": {\#(params)}}"#
    }
    return #"{"plan": "Large", "events": {"# + events.joined(separator: ",\n") + "}}\n"
  }
}

extension Subject {
  private static let events = "CPU of an event of nine params"
  static let receiving = Subject(events, "received in an array of 1,000, and recorded", .floor)
  static let judging = Subject(events, "held against a plan of 500 events", .ours)
  static let reading = Subject("reading a plan of 500 events, and the first event", "TrackingPlan", .ours, unit: "ms")
}
