import Foundation
import Measuring

/// The cost of an event where it is tracked, and on its way to the server: by the double, by URLSession and by a blocking client in C.
///
/// Takes the port of a server that responds to every POST, the port of a `TrackingServer`, and a number of rounds. Each round measures every
/// contestant once, in random order.
@main
enum DoubleCost {
  static func main() {
    let numbers = CommandLine.arguments.dropFirst().compactMap { Int($0) }
    guard numbers.count == 3 else { fatalError("usage: DoubleCost <port> <port of a TrackingServer> <rounds>") }
    let contestants = [
      Contestant(of: BlockingSender(port: numbers[0]), "a blocking C client", .floor),
      Contestant(of: DoubleSender(port: numbers[0], batchLimit: 1), "TrackerDouble", .ours),
      Contestant(
        of: DoubleSender(port: numbers[0], batchLimit: 1, namesLine: true), "TrackerDouble, with its line", .peer),
      Contestant(of: SessionSender(port: numbers[0]), "URLSession", .peer),
    ]
    let batching = [
      Contestant(of: DoubleSender(port: numbers[1], batchLimit: 100), "TrackerDouble", .ours),
      Contestant(
        of: DoubleSender(port: numbers[1], batchLimit: 100, namesLine: true), "TrackerDouble, with its line", .peer),
    ]
    let wakeUp = Contestant(of: BareWakeUpSender(), "waking a sleeping thread in C", .floor)
    var samples = Samples()
    for contestant in contestants + batching { contestant.warmUp() }
    for _ in 0..<numbers[2] {
      for contestant in contestants.shuffled() {
        samples.add(contestant.burst(), of: contestant.inABurst)
        let (time, cpu) = contestant.delivery(of: 500)
        samples.add(time, of: contestant.timeOfDelivery)
        samples.add(cpu, of: contestant.cpuOfDelivery)
      }
      for contestant in (contestants + [wakeUp]).shuffled() {
        samples.add(contestant.fromRest(), of: contestant.asleep)
      }
      for contestant in batching.shuffled() {
        let (time, cpu) = contestant.delivery(of: 5_000)
        samples.add(time, of: contestant.timeOfBatches)
        samples.add(cpu, of: contestant.cpuOfBatches)
      }
    }
    samples.write(
      inOrderOf: contestants.map(\.inABurst) + ([wakeUp] + contestants).map(\.asleep)
        + contestants.map(\.timeOfDelivery) + contestants.map(\.cpuOfDelivery))
  }
}

extension Contestant {
  var inABurst: Subject { Subject("track an event: cost to the caller, in a burst", name, role) }
  var asleep: Subject {
    // A blocking client wakes no thread here, so it isn't the floor.
    let isNoFloor = role == .floor && !(sender is BareWakeUpSender)
    return Subject("track an event: cost to the caller, one at a time", name, isNoFloor ? .peer : role)
  }
  var timeOfDelivery: Subject { Subject("one POST per event, time", name, role) }
  var cpuOfDelivery: Subject { Subject("one POST per event, the app's CPU", name, role) }
  var timeOfBatches: Subject { Subject("delivery of an event, arrays of up to 100, time", name, role) }
  var cpuOfBatches: Subject { Subject("delivery of an event, arrays of up to 100, the app's CPU", name, role) }
}
