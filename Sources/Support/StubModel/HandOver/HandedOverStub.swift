import Foundation
import TrackingModel
import TrackingPatterns

/// A stub as it travels to another process: without code, gates, streams and files.
package struct HandedOverStub: Hashable, Codable, Sendable {
  private let pattern: Pattern
  private let results: [Response]
  private let times: Int?
  private let epoch: Int?
  private let name: String?

  /// A stub with the contents of its files in place of the files.
  ///
  /// - Throws: The reason that the stub is invalid or can't be passed.
  package init(_ stub: StubEndpoint, folder: StubFolder?) throws(StubError) {
    if let code = stub.code {
      throw .result("\(code), and code can't be passed to another process: stub it on the verifier's server")
    }
    let prepared = try PreparedStub(stub, folder: folder)
    results = try prepared.results.map { (result) throws(StubError) in try Response(result) }
    pattern = Pattern(stub.pattern.condition)
    (times, epoch, name) = (stub.times, stub.epoch, stub.name)
  }

  /// A stub without its responses, for reports; one with code is reduced to its description.
  package init(describing stub: StubEndpoint) {
    let isWhole = stub.code == nil
    pattern = isWhole ? Pattern(stub.pattern.condition) : .parts(Conditions(RequestConditions(method: nil, path: "/*")))
    (results, times, epoch) = ([], stub.times, isWhole ? stub.epoch : nil)
    name = isWhole ? stub.name : "\(stub)"
  }

  package var stub: StubEndpoint {
    var stub = StubEndpoint(pattern.pattern, results.map(\.result), times: times, name: name)
    stub.epoch = epoch
    return stub
  }
}

extension HandedOverStub {
  /// A pattern without code.
  private indirect enum Pattern: Hashable, Codable, Sendable {
    case parts(Conditions)
    case both(Pattern, Pattern)
    case either(Pattern, Pattern)
    case not(Pattern)

    /// - Parameter condition: The condition of a prepared stub, which isn't impossible and doesn't ask for a response.
    init(_ condition: RequestPattern.Condition) {
      switch condition {
      case .parts(let matcher): self = .parts(Conditions(matcher.conditions))
      case .impossible(let conditions): self = .parts(Conditions(conditions))
      case .responded: self = .parts(Conditions(RequestConditions(method: nil, path: "/*")))
      case .both(let left, let right): self = .both(Pattern(left), Pattern(right))
      case .either(let left, let right): self = .either(Pattern(left), Pattern(right))
      case .not(let condition): self = .not(Pattern(condition))
      }
    }

    var pattern: RequestPattern {
      switch self {
      case .parts(let parts): RequestPattern(parts.conditions)
      case .both(let left, let right): left.pattern.and(right.pattern)
      case .either(let left, let right): left.pattern.or(right.pattern)
      case .not(let pattern): pattern.pattern.not()
      }
    }
  }

  /// Conditions on a request, without a predicate.
  private struct Conditions: Hashable, Codable, Sendable {
    let method: String?
    let hasSentMethod: Bool
    let path: StubPath.Form
    let scheme: String?
    let host: CodedForm<ValueMatcher>?
    let port: Int?
    let parts: CodedForm<RequestParts>

    init(_ conditions: RequestConditions) {
      (method, hasSentMethod) = (conditions.method?.rawValue, conditions.hasSentMethod)
      path = conditions.path.form
      (scheme, host, port) = (conditions.scheme, conditions.host.map(CodedForm.init), conditions.port)
      parts = CodedForm(conditions.parts)
    }

    var conditions: RequestConditions {
      var conditions = RequestConditions(
        method: method.map(ReceivedRequest.Method.init(rawValue:)), path: StubPath(path), host: host?.value,
        parts: parts.value)
      (conditions.scheme, conditions.port) = (scheme, port)
      if hasSentMethod {
        (conditions.method, conditions.hasSentMethod) = (method.map(ReceivedRequest.Method.init(rawValue:)), true)
      }
      return conditions
    }
  }

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
      "an answer that a gate holds, or a stream, can't be passed to another process; use verifier.stub")

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
    return HTTPFault(at: position, effect)
  }
}
