import Foundation
import StubModel

/// A fault that breaks a request off before it has been read whole.
///
/// An object, since hardly any request has one, and each is asked for it.
final class EarlyFault {
  let fault: Fault
  /// The stub that asks for it, and what its path's params stand for.
  let selection: StubTable.Selection?

  init(fault: Fault, selection: StubTable.Selection? = nil) {
    self.fault = fault
    self.selection = selection
  }
}

// Requests that are broken off before they have been read whole.

extension Router {
  /// The fault of a request whose head has been read, if it is not to be read any further than that, or than the middle of its body.
  func earlyFault(of head: borrowing RequestHead) -> EarlyFault? {
    if isSubmission(head) { return earlyEventFault(of: head) }
    // What is refused, and what a browser asks beforehand, uses no fault up.
    guard !stubs.isEmpty, refusalOfSender(of: head) == nil, !isPreflight(head) else { return nil }
    // Nobody knows yet whether a request that a decoding reads is events, which a fault for requests is not meant for.
    if !hasDecodings(for: head), let fault = stubs.takeFault(at: [.requestHead, .requestBody]) {
      return EarlyFault(fault: fault)
    }
    guard let selection = stubs.takeEarlyFault(head.stubRequest()), let fault = selection.result?.result.fault else {
      return nil
    }
    return EarlyFault(fault: fault, selection: selection)
  }

  private func earlyEventFault(of head: borrowing RequestHead) -> EarlyFault? {
    guard stubs.hasEarlyEventFault, refusal(of: head) == nil, let fault = stubs.takeEarlyEventFault() else {
      return nil
    }
    return EarlyFault(fault: fault)
  }

  /// Keeps a request that was broken off, with as much of its body as has arrived.
  func record(
    _ head: borrowing RequestHead, body: UnsafeRawBufferPointer, exchange: Int, brokenOffBy early: EarlyFault
  ) {
    guard let selection = early.selection else {
      return record(head, body: body, exchange: exchange, status: nil, fault: early.fault)
    }
    var request = selection.request
    request.body = Data(body)
    record(
      request, exchange: exchange, answer: RecordedAnswer(stub: selection.stub.endpoint, fault: early.fault))
  }
}
