import Foundation
import StubModel
import TrackingModel

/// A format that a server accepts: one or several ``EventFormat``s of a vendor, and which of their items become events.
///
/// ```swift
/// verifier.accept(.segment, .postHog)
/// verifier.accept(.segment.keeping(.identify, .screen))
/// ```
public struct AcceptedFormat: EventFormat {
  /// The vendor's name.
  public let name: String
  /// The kinds of items that become events.
  public private(set) var kinds: Set<Submission.Kind> = [.track]
  /// Whether params that the SDK added stay among the params.
  public private(set) var keepsAddedParams = false
  /// The formats, in the order in which they are asked.
  private(set) var parts: [any EventFormat]
  private var path: String?

  /// A vendor whose SDKs speak several formats.
  ///
  /// The path is what the URL that the SDK is configured with holds after the server's: `/2/httpapi`; `nil` for what the first format says.
  public init(_ name: String, path: String? = nil, _ parts: any EventFormat...) {
    self.name = name
    self.path = path
    self.parts = parts
  }

  /// A vendor with one format.
  public init(_ format: some EventFormat) {
    if let format = format as? AcceptedFormat {
      self = format
    } else {
      self.init(format.name, format)
    }
  }

  /// The same with more kinds of items as events: `.segment.keeping(.identify, .screen)`.
  public func keeping(_ kinds: Submission.Kind...) -> AcceptedFormat {
    var copy = self
    copy.kinds.formUnion(kinds)
    return copy
  }

  /// The same with every item as an event, and with the params that the SDK added among the others.
  public var keepingEverything: AcceptedFormat {
    var copy = self
    copy.kinds = Set(Submission.Kind.allCases)
    copy.keepsAddedParams = true
    return copy
  }

  /// The same at another path, for SDKs that take a whole URL: `.amplitude.at("/collect")`.
  public func at(_ path: String) -> AcceptedFormat {
    var copy = self
    copy.path = path
    copy.parts = parts.map { MovedFormat(format: $0, path: path) }
    return copy
  }

  /// Where its formats listen.
  public var endpoints: [StubEndpoint] { parts.flatMap(\.endpoints) }
  /// What its SDKs ask when they start.
  public var questions: [StubEndpoint] { parts.flatMap(\.questions) }

  /// The events of a request, by the first of its formats that listens there and reads it.
  public func submission(in request: HTTPRequest) throws -> Submission? {
    try PreparedFormat(self).submission(in: request)
  }

  /// The URL to configure the SDK with.
  public func address(at server: URL) -> URL {
    if let path { return server.appending(path: path) }
    return parts.first?.address(at: server) ?? server
  }

  /// The event that an item becomes if its kind is kept.
  func event(of item: Submission.Item, isLeftover: Bool = false, isFirstAttempt: Bool = false) -> TrackingEvent {
    var event = item.event
    var context = item.context
    if keepsAddedParams {
      for key in item.addedParams {
        guard let value = context.removeValue(forKey: key) else { continue }
        event.params[.custom(key: key)] = value
      }
    }
    event.origin = EventOrigin(
      format: name, kind: item.kind.rawValue, id: item.id, time: item.time, context: context, isText: item.isText,
      isLeftover: isLeftover, isFirstAttempt: isFirstAttempt)
    return event
  }
}

extension EventFormat {
  /// The same with more kinds of items as events.
  public func keeping(_ kinds: Submission.Kind...) -> AcceptedFormat {
    kinds.reduce(AcceptedFormat(self)) { $0.keeping($1) }
  }

  /// The same with every item as an event, and with the params that the SDK added among the others.
  public var keepingEverything: AcceptedFormat { AcceptedFormat(self).keepingEverything }
}

/// A format at another path than its own.
private struct MovedFormat: PromptFormat {
  let format: any EventFormat
  let path: String

  var name: String { format.name }
  var isPrompt: Bool { (format as? any PromptFormat)?.isPrompt ?? false }
  var questions: [StubEndpoint] { format.questions }
  var endpoints: [StubEndpoint] {
    let methods = format.endpoints.map(\.method)
    return Set(methods).map { StubEndpoint($0, .template(path), []) }
  }

  func submission(in request: HTTPRequest) throws -> Submission? {
    try format.submission(in: request)
  }
}
