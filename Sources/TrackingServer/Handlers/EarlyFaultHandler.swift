import Foundation
import StubModel

/// Breaks requests off before they have been read whole, where the test wants it.
final class EarlyFaultHandler: RequestHandler {
  func preview(_ exchange: inout Exchange) -> Preview {
    guard exchange.setup.hasEarlyFaults else { return .pass }
    let stubs = exchange.context.stubs
    if exchange.isSubmission || FormatIntake.mayRead(exchange) {
      // What is refused uses no fault up.
      guard !exchange.isSubmission || EventFormats.mayRead(exchange) || exchange.refusalOfSubmission == nil,
        let fault = stubs.takeEarlyEventFault()
      else { return .pass }
      return .breakOff(EarlyFault(fault: fault))
    }
    // What a browser asks beforehand uses no fault up either.
    guard !exchange.isPreflight else { return .pass }
    // Whether a request that a decoding reads is events, which a fault for requests is not meant for, is not known yet.
    if !EventFormats.mayRead(exchange), let fault = stubs.takeFault(at: [.requestHead, .requestBody]) {
      return .breakOff(EarlyFault(fault: fault))
    }
    guard let selection = stubs.takeEarlyFault(exchange.requestHead()), let fault = selection.result?.result.fault
    else { return .pass }
    return .breakOff(EarlyFault(fault: fault, selection: selection))
  }

  func handle(_ exchange: inout Exchange) -> Outcome { .pass }
}

/// A fault that breaks a request off before it has been read whole.
///
/// An object, because hardly any request has one, and each is asked for it.
package final class EarlyFault: Sendable {
  let fault: Fault
  /// The stub that asks for it, and the values of its path's params.
  let selection: StubTable.Selection?

  init(fault: Fault, selection: StubTable.Selection? = nil) {
    self.fault = fault
    self.selection = selection
  }
}

extension Exchange {
  /// Records a request that is broken off, with as much of its body as has arrived.
  mutating func record(brokenOffBy early: EarlyFault) {
    if let selection = early.selection { take(pathParams: selection.request.pathParams) }
    record(RecordedAnswer(stub: early.selection?.stub.endpoint, fault: early.fault))
  }
}
