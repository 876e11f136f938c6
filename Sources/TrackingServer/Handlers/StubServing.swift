import Foundation
import StubModel
import TrackingModel

final class StubServing: RequestHandler {
  func preview(_ exchange: inout Exchange) -> Preview {
    exchange.setup.isEmpty ? .pass : .wanted(.request)
  }

  func handle(_ exchange: inout Exchange) -> RequestOutcome {
    exchange.setup.isEmpty ? .pass : serve(&exchange, declined: [])
  }

  /// - Parameter declined: The stubs whose closures have declined the request.
  private func serve(_ exchange: inout Exchange, declined: Set<StubTable.ID>) -> RequestOutcome {
    let request = exchange.request()
    let (stubs, isPreflight) = (exchange.context.stubs, exchange.isPreflight)
    switch stubs.take(request, isPreflight: isPreflight, declined: declined, callsCode: false) {
    case .none: return .pass
    case .stub(let selection): return serve(&exchange, selection, declined: declined)
    case .needsWorker:
      exchange.recordArrival()
      return .work { [self] in
        guard
          case .stub(let selection) = stubs.take(
            request, isPreflight: isPreflight, declined: declined, callsCode: true)
        else { return { _ in .pass } }
        return { [self] in serve(&$0, selection, declined: declined) }
      }
    }
  }

  private func serve(
    _ exchange: inout Exchange, _ selection: StubTable.Selection, declined: Set<StubTable.ID>
  ) -> RequestOutcome {
    exchange.note(selection)
    guard let handler = selection.stub.handler else {
      guard let result = selection.result else { return .respond(exchange.fail("it has no response", selection)) }
      if case .folder(let folder) = result.content {
        exchange.recordArrival()
        return .work { [self] in file(of: result, in: folder, selection) }
      }
      return .respond(exchange.respond(with: result, by: selection.stub.outline))
    }
    exchange.recordArrival()
    if let closure = handler.asyncClosure {
      return .task { [self] in await response(of: closure, selection, declined) }
    }
    return .work { [self] in continuation(of: selection, declined, handler.respond(to:)) }
  }

  private func response(
    of closure: StubHandler.AsyncClosure, _ selection: StubTable.Selection, _ declined: Set<StubTable.ID>
  ) async -> Continuation {
    do {
      let response = try await closure(selection.request)
      // The file is read on a thread that may block.
      return { [self] _ in .work { [self] in continuation(of: selection, declined) { _ in response } } }
    } catch {
      let reason = StubError.text(of: error)
      return { .respond($0.fail(reason, selection)) }
    }
  }

  /// Runs a stub's closure; if it declines, the next matching stub serves the request.
  private func continuation(
    of selection: StubTable.Selection, _ declined: Set<StubTable.ID>,
    _ handler: (ReceivedRequest) throws -> StubResponse?
  ) -> Continuation {
    do {
      guard let response = try handler(selection.request) else {
        return { [self] exchange in
          exchange.context.stubs.giveBack(selection)
          return serve(&exchange, declined: declined.union([selection.id]))
        }
      }
      if case .file(let file) = response.content, let opened = file.opened(from: selection.stub.folder) {
        var head = response
        head.content = .empty
        let result = try PreparedResponse(head, for: selection.stub.endpoint, folder: nil).with(type: opened.type)
        return { .respond($0.respond(with: result, opened, by: selection.stub.outline)) }
      }
      let result = try PreparedResponse(response, for: selection.stub.endpoint, folder: selection.stub.folder)
      if case .folder(let folder) = result.content { return file(of: result, in: folder, selection) }
      return { .respond($0.respond(with: result, by: selection.stub.outline)) }
    } catch {
      let reason = StubError.text(of: error)
      return { .respond($0.fail(reason, selection)) }
    }
  }

  private func file(of result: PreparedResponse, in folder: StubFolder, _ selection: StubTable.Selection)
    -> Continuation
  {
    guard let file = folder.file(named: selection.request.pathParams["*"] ?? "") else {
      return { .respond($0.respondWithoutFile(selection)) }
    }
    let typed = result.with(type: file.type)
    return { .respond($0.respond(with: typed, file, by: selection.stub.outline)) }
  }
}

extension Exchange {
  fileprivate mutating func respondWithoutFile(_ selection: StubTable.Selection) -> PlannedResponse {
    let name = selection.request.pathParams["*"] ?? ""
    let reason = "the folder of \(selection.stub.endpoint) has no file \(HTTPError.quoted(name))"
    return respond(.json(404, ["error": .string(reason)]), RecordedResponse(stub: selection.stub.outline))
  }

  fileprivate mutating func fail(_ reason: String, _ selection: StubTable.Selection) -> PlannedResponse {
    let problem =
      "the closure for \(selection.stub.endpoint) returned no response to \(selection.request.target): \(reason)"
    return respond(
      .json(500, ["error": .string(problem)]), RecordedResponse(stub: selection.stub.outline, problem: problem))
  }
}
