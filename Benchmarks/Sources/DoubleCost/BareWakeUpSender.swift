import BareWakeUp

/// The least that handing an event to a sleeping thread can cost; sends nothing.
struct BareWakeUpSender: Sender {
  private let wakeUp: OpaquePointer

  init() {
    guard let wakeUp = bareWakeUpStart() else { fatalError("no thread could be started") }
    self.wakeUp = wakeUp
  }

  func track() { bareWakeUpSignal(wakeUp) }

  func finish() {}
}
