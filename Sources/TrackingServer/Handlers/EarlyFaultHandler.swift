import Foundation
import StubModel

/// Breaks requests off before their bodies have been read, if the test injects such a fault.
final class EarlyFaultHandler: RequestHandler {
  func preview(_ exchange: inout Exchange) -> Preview {
    guard exchange.setup.hasEarlyFaults else { return .pass }
    let stubs = exchange.context.stubs
    if exchange.isSubmission || FormatIntake.mayRead(exchange) {
      // A refused submission uses up no fault.
      guard FormatIntake.mayRead(exchange) || exchange.refusalOfSubmission == nil,
        let fault = stubs.takeEarlyEventFault()
      else { return .pass }
      return .breakOff(EarlyFault(fault: fault))
    }
    // Nor does a browser's preflight request.
    guard !exchange.isPreflight else { return .pass }
    if let fault = stubs.takeFault(at: [.requestHead, .requestBody]) {
      return .breakOff(EarlyFault(fault: fault))
    }
    guard let selection = stubs.takeEarlyFault(exchange.requestHead()), let fault = selection.result?.result.fault
    else { return .pass }
    return .breakOff(EarlyFault(fault: fault, selection: selection))
  }

  func handle(_ exchange: inout Exchange) -> Outcome { .pass }
}

/// A fault that breaks a request off before its body has been read.
///
/// An object, because few requests have one.
package final class EarlyFault: Sendable {
  let fault: HTTPFault
  /// The stub that asks for it, and the values of its path's params.
  let selection: StubTable.Selection?

  init(fault: HTTPFault, selection: StubTable.Selection? = nil) {
    self.fault = fault
    self.selection = selection
  }
}

extension Exchange {
  /// Records a request that is broken off, with the received part of its body.
  mutating func record(brokenOffBy early: EarlyFault) {
    if let selection = early.selection { take(pathParams: selection.request.pathParams) }
    record(RecordedAnswer(stub: early.selection?.stub.endpoint, fault: early.fault))
  }
}
