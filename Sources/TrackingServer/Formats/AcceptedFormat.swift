import Foundation
import StubModel
import TrackingModel

/// A format that a server accepts: one or several ``EventFormat``s of a vendor, and the kinds of items that become events.
///
/// ```swift
/// verifier.accept(.segment, .postHog)
/// verifier.accept(.segment.keeping(.identify, .screen))
/// ```
public struct AcceptedFormat: Sendable {
  /// The vendor's name.
  public let name: String
  /// The kinds of items that become events.
  package private(set) var kinds: Set<DecodedSubmission.Kind> = [.track]
  /// Whether params that the SDK added are kept.
  package private(set) var keepsAddedParams = false
  /// The formats, in the order in which they are tried.
  let parts: [any EventFormat]
  /// The path of the URL that the SDK is configured with.
  private var path: String?
  /// Whether the formats listen at `path` instead of the usual paths.
  private var isMoved = false

  /// Creates a format for a vendor whose SDKs use several wire formats.
  ///
  /// `path` is the path of the URL that the SDK is configured with, such as `/2/httpapi`; `nil` uses the first format's path.
  public init(_ name: String, path: String? = nil, _ parts: any EventFormat...) {
    self.name = name
    self.path = path
    self.parts = parts
  }

  /// Creates a format for a vendor with one wire format.
  public init(_ format: some EventFormat) {
    if let format = format as? AcceptedFormat {
      self = format
    } else {
      self.init(format.name, format)
    }
  }

  /// Creates a format whose events are read by a closure.
  ///
  /// ```swift
  /// verifier.accept(AcceptedFormat("Shop", .post, "/collect") { request in
  ///   try request.json([Item].self).map { TrackingEvent(name: $0.title) }
  /// })
  /// ```
  ///
  /// The closure returns `nil` for a request in another format, and throws if the request can't be read. It runs on a worker thread of the server,
  /// for several requests at a time, and may use the verifier. The events have no ids, so an event that is sent again is recorded again. The
  /// response is a 200. Without a method, requests of all methods are read.
  public init(
    _ name: String, _ method: ReceivedRequest.Method = .any, _ paths: StubPath...,
    events: @escaping @Sendable (_ request: ReceivedRequest) throws -> [TrackingEvent]?
  ) {
    self.init(name, ClosureFormat(name: name, endpoints: paths.map { .request(method, $0) }, events: events))
  }

  /// Returns a copy that also turns items of the given kinds into events: `.segment.keeping(.identify, .screen)`.
  public func keeping(_ kinds: DecodedSubmission.Kind...) -> AcceptedFormat {
    changed(self) { $0.kinds.formUnion(kinds) }
  }

  /// A copy that turns every item into an event and keeps the params that the SDK added.
  public var keepingEverything: AcceptedFormat {
    changed(self) { ($0.kinds, $0.keepsAddedParams) = (Set(DecodedSubmission.Kind.all), true) }
  }

  /// Returns a copy that listens at another path, for SDKs that take a whole URL: `.amplitude.at("/collect")`.
  public func at(_ path: String) -> AcceptedFormat {
    changed(self) { ($0.path, $0.isMoved) = (path, true) }
  }

  /// The methods and paths of the requests that may carry events.
  public var endpoints: [RequestPattern] { parts.flatMap(endpoints) }

  func endpoints(of part: any EventFormat) -> [RequestPattern] {
    guard isMoved, let path else { return part.endpoints }
    var methods: [ReceivedRequest.Method?] = []
    for method in part.endpoints.flatMap(\.conditions).map(\.method) where !methods.contains(method) {
      methods.append(method)
    }
    return methods.map { .request($0 ?? .any, .template(path)) }
  }

  /// The startup requests of the vendor's SDKs, with the responses.
  public var startupRequests: [StubEndpoint] { parts.flatMap(\.startupRequests) }

  /// Returns the URL to configure the SDK with, so that its events arrive at `server`.
  public func address(at server: URL) -> URL {
    if let path { return server.appending(sentPath: path) }
    return parts.first?.address(at: server) ?? server
  }

  /// Returns the event for an item whose kind is kept.
  func event(of item: DecodedSubmission.Item, isLeftover: Bool = false, isFirstAttempt: Bool = false) -> TrackingEvent {
    var event = item.event
    var context = item.context
    if keepsAddedParams {
      for key in item.addedParams {
        guard let value = context.removeValue(forKey: key) else { continue }
        event.params[.custom(key: key)] = value
      }
    }
    event.origin = SDKOrigin(
      format: name, kind: item.kind.description, id: item.id, time: item.time, context: context, isText: item.isText,
      isLeftover: isLeftover, isFirstAttempt: isFirstAttempt)
    return event
  }
}

extension URL {
  /// Appends a path without changing its percent-encoding.
  package func appending(sentPath path: String) -> URL {
    let allowed = CharacterSet.urlPathAllowed.union(CharacterSet(charactersIn: "%"))
    let base = absoluteString.hasSuffix("/") ? absoluteString.dropLast() : absoluteString[...]
    guard path.hasPrefix("/"), let sent = path.addingPercentEncoding(withAllowedCharacters: allowed),
      let url = URL(string: base + sent)
    else { return appending(path: path) }
    return url
  }
}

extension EventFormat {
  /// Returns an accepted format that also turns items of the given kinds into events.
  public func keeping(_ kinds: DecodedSubmission.Kind...) -> AcceptedFormat {
    kinds.reduce(AcceptedFormat(self)) { $0.keeping($1) }
  }

  /// An accepted format that turns every item into an event and keeps the params that the SDK added.
  public var keepingEverything: AcceptedFormat { AcceptedFormat(self).keepingEverything }
}

private struct ClosureFormat: EventFormat {
  let name: String
  let endpoints: [RequestPattern]
  let events: @Sendable (ReceivedRequest) throws -> [TrackingEvent]?

  func submission(in request: ReceivedRequest) throws -> DecodedSubmission? {
    try events(request).map { DecodedSubmission(items: $0.map { DecodedSubmission.Item(.track, $0) }) }
  }
}
