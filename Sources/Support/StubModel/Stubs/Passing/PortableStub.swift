import Foundation
import TrackingModel
import TrackingPatterns

/// A stub in the form for another process: without code, gates, streams and files.
package struct PortableStub: Hashable, Codable, Sendable {
  private let condition: RequestPattern.Condition
  private let results: [Response]
  private let options: StubEndpoint.Options

  /// Replaces files with their contents; throws the reason why the stub is invalid or can't be passed.
  package init(_ stub: StubEndpoint, folder: StubFolder?) throws(StubError) {
    if let code = stub.code {
      throw .result("\(code), and code can't be passed to another process: stub it on the verifier's server")
    }
    let prepared = try PreparedStub(stub, folder: folder)
    self.init(stub, try prepared.results.map { (result) throws(StubError) in try Response(result) })
  }

  /// Leaves out responses and code, for reports.
  package init(describing stub: StubEndpoint) { self.init(stub.outline, []) }

  private init(_ stub: StubEndpoint, _ results: [Response]) {
    (condition, self.results, options) = (stub.pattern.condition, results, stub.options)
  }

  package var stub: StubEndpoint { StubEndpoint(RequestPattern(condition), results.map(\.result), options) }
}

extension PortableStub {
  /// A response that doesn't depend on the process that made it.
  private struct Response: Hashable, Codable, Sendable {
    private enum Content: Hashable, Codable {
      case empty
      case data(Data, type: String?)
      case folder(URL)
    }

    private let status: Int
    private let reason: String?
    private let headers: CodedForm<[NamedText]>
    private let content: Content
    private let delay: TimeInterval
    private let bodyDelay: TimeInterval?
    private let dribble: StubResponse.Dribble?
    private let fault: CodedForm<HTTPFault>?
    private let errorCode: Int?
    private let nextEpoch: Int?

    init(_ prepared: PreparedResponse) throws(StubError) {
      let result = prepared.result
      var bodyDelay: TimeInterval?
      switch result.bodyStart {
      case .delay(let seconds)?: bodyDelay = seconds
      case .gate?: throw Self.isBoundToItsProcess
      case nil: break
      }
      guard result.gate == nil else { throw Self.isBoundToItsProcess }
      content =
        switch result.content {
        case .empty, .invalid: .empty
        case .data(let data, let type): .data(data, type: type)
        // The media type is among the header fields.
        case .file: .data(Data(prepared.bytes), type: nil)
        case .folder(let folder): .folder(folder.url)
        case .stream: throw Self.isBoundToItsProcess
        }
      (status, reason, headers, delay) = (result.status, result.reason, CodedForm(result.headers.lines), result.delay)
      (self.bodyDelay, dribble) = (bodyDelay, result.dribble)
      fault = result.fault.map(CodedForm.init)
      (errorCode, nextEpoch) = (result.errorCode?.rawValue, result.nextEpoch)
    }

    private static let isBoundToItsProcess = StubError.result(
      "a response that a gate holds, or a stream, can't be passed to another process; use verifier.stub")

    var result: StubResponse {
      var result = StubResponse(
        status: status, headers: MessageHeaders(lines: headers.value), delay: delay, dribble: dribble,
        fault: fault?.value,
        errorCode: errorCode.flatMap { URLError.Code(rawValue: $0) })
      switch content {
      case .empty: break
      case .data(let data, let type): result.content = .data(data, type: type)
      case .folder(let url): result.content = .folder(.url(url))
      }
      (result.reason, result.bodyStart) = (reason, bodyDelay.map { .delay($0) })
      result.nextEpoch = nextEpoch
      return result
    }
  }
}

extension HTTPFault: FormConvertible {
  package var form: TrackingValue { NamedText(name: position.rawValue, value: effect.rawValue).form }

  package static func read(_ form: TrackingValue) -> HTTPFault? {
    guard let names = NamedText.read(form), let position = Position(rawValue: names.name),
      let effect = Effect(rawValue: names.value)
    else { return nil }
    return HTTPFault(effect, at: position)
  }
}
