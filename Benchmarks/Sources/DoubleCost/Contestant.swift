import Foundation
import Measuring

/// A way to send events.
protocol Sender {
  /// Tracks an event, as an app does where something happens.
  func track()
  /// Waits until all tracked events have a response.
  func finish()
}

/// A sender, and what can be measured of it.
struct Contestant {
  let sender: any Sender
  let name: String
  let role: Subject.Role

  init(of sender: any Sender, _ name: String, _ role: Subject.Role) {
    self.sender = sender
    self.name = name
    self.role = role
  }

  func warmUp() {
    for _ in 0..<100 { sender.track() }
    sender.finish()
  }

  /// The time of each call of many, one right after the other.
  func burst() -> [Double] {
    let times = (0..<200).map { _ in timeOfOneCall() }
    sender.finish()
    return times
  }

  /// The time of a call when what was tracked before has been delivered, and the threads that do it have gone to sleep.
  func fromRest() -> [Double] {
    (0..<20).map { _ in
      Thread.sleep(forTimeInterval: 0.001)
      let time = timeOfOneCall()
      sender.finish()
      return time
    }
  }

  /// The time and this process's CPU time for each of many events, from the first call until all have a response.
  func delivery(of count: Int) -> (time: Double, cpu: Double) {
    let (began, cpuBegan) = (moment(), cpuTime())
    for _ in 0..<count { sender.track() }
    sender.finish()
    return ((moment() - began).microseconds / Double(count), (cpuTime() - cpuBegan).microseconds / Double(count))
  }

  private func timeOfOneCall() -> Double {
    let began = moment()
    sender.track()
    return (moment() - began).microseconds
  }
}
