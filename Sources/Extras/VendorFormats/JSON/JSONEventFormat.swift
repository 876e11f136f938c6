import Foundation
import StubModel
import TrackingJSON
import TrackingModel
import TrackingPatterns
import TrackingServer

/// A format whose bodies are JSON, described as data.
///
/// ```swift
/// let shop = JSONEventFormat(
///   "Shop", .post, "/collect", events: "items[]", where: ["kind": "event"], name: "n", params: "p", id: "uid", time: "ts")
/// verifier.accept(shop)
/// ```
///
/// Values are located by paths: `batch[]` means the elements of the array `batch`, `payload.properties` a nested member, `[]` the elements of the
/// body itself, and an empty path the body. Members of an item that no path names become the event's context.
public struct JSONEventFormat: EventFormat, PromptFormat {
  /// The location of the JSON in a request.
  public struct Body: Hashable, Sendable {
    enum Layout: Hashable, Sendable {
      case value, lines
      case form(field: String)
    }

    let layout: Layout

    /// The body is one JSON value.
    public static let json = Body(layout: .value)
    /// Each line of the body is one item, as JSON.
    public static let lines = Body(layout: .lines)
    /// Returns a body that is JSON, or a form with the JSON in one of its fields, as text or in base64; the form may have a text media type.
    public static func form(_ field: String) -> Body { Body(layout: .form(field: field)) }
  }

  /// The vendor's name in failures and rejections.
  public var name: String
  /// The methods and paths of the requests that may carry events.
  public var endpoints: [RequestPattern]
  /// The SDK's startup requests, with the responses.
  public var startupRequests: [StubEndpoint] = []
  /// The response that tells the SDK of success; 200 without a body by default.
  public var response: StubResponse = .ok
  /// Creates the response from the submission, for SDKs that look for their events in it.
  public var makeResponse: (@Sendable (ReceivedRequest, DecodedSubmission) -> StubResponse)? {
    // The test's code may block.
    didSet { isResponsePrompt = makeResponse == nil }
  }
  /// Whether the response is created without code of a test.
  var isResponsePrompt = true
  package var isPrompt: Bool {
    isResponsePrompt && rules.allSatisfy { !$0.hasCode } && signature.values.allSatisfy { $0.closure == nil }
  }
  package var hasSignature: Bool { !signature.isEmpty }
  /// The location of the JSON in requests.
  public var body: Body = .json
  /// The header field in which the SDK counts its attempts.
  public var attemptHeader: String?
  /// The keys of params that the SDK adds, which become part of the context.
  ///
  /// A star at the end of a key matches any rest: `mp_*`.
  public var addedParams: [String] = []
  /// The paths of further params outside of an item's params, such as a revenue; each is named by the last part of its path.
  public var moreParams: [String] = [] {
    didSet { morePlaces = moreParams.map(JSONPath.init(_:)) }
  }
  private var morePlaces: [JSONPath] = []
  /// Alternative paths of the id, for items without the usual one.
  public var moreIDs: [String] = [] {
    didSet { moreIDPlaces = moreIDs.map(JSONPath.init(_:)) }
  }
  private var moreIDPlaces: [JSONPath] = []
  /// Alternative paths of the time, for items without the usual one.
  public var moreTimes: [String] = [] {
    didSet { moreTimePlaces = moreTimes.map(JSONPath.init(_:)) }
  }
  private var moreTimePlaces: [JSONPath] = []
  /// Conditions on the first item, by path, that distinguish the format from others with the same paths and shape; one that holds is enough.
  ///
  /// For example `["context.library.name": .hasPrefix("rudder")]`. If several accepted formats can read a request, one whose signature holds is
  /// preferred, then one without a signature.
  public var signature: [String: ValueMatcher] = [:]
  /// Whether the format carries only text, so that numbers arrive as strings.
  public var isText = false
  /// Members of the body outside its items that become part of each item's context.
  public var envelope: [String] = []
  /// The path of the URL that the SDK is configured with, such as `/2/httpapi`; empty for SDKs that append their own paths.
  public var path = ""

  let items: JSONPath
  private(set) var rules: [JSONItemRule] = []
  private let time: JSONPath?
  private let callSite: JSONPath?

  /// Creates a format that is sent to some paths by one method.
  ///
  /// `events` is the path of the items in the body, and `kind` their kind. An item is an event if the conditions hold, by path; other items are only
  /// counted. `eventName` is the path of an item's name; `nil` names it after its kind. `params` is the path of its params, an object: `"."` for
  /// the item's remaining members, empty for an event without params. `id` is the path of the id that identifies a redelivery, and `time`
  /// the path of the time: ISO 8601, or a number of seconds, milliseconds, microseconds or nanoseconds since 1970. `callSite` is the path of the
  /// call site, a text of at most 512 bytes: `"cart.py:31"`.
  public init(
    _ name: String, _ method: ReceivedRequest.Method = .post, _ paths: StubPath..., events: String,
    kind: DecodedSubmission.Kind = .track, where conditions: [String: ValueMatcher] = [:], name eventName: String?,
    params: String = "", id: String? = nil, time: String? = nil, callSite: String? = nil
  ) {
    self.name = name
    endpoints = paths.map { .request(method, $0) }
    items = JSONPath(events)
    self.time = time.map(JSONPath.init(_:))
    self.callSite = callSite.map(JSONPath.init(_:))
    add(kind, conditions, eventName, params, id.map(JSONPath.init(_:)))
  }

  /// Returns a copy that also reads another kind of item.
  ///
  /// An item is of the last kind whose conditions hold for it, so add special kinds after general ones.
  ///
  /// `eventName` is the path of the item's name; without it, the name is the kind's. `id` is the path of its id if it isn't the format's; empty for
  /// items without an id.
  public func with(
    _ kind: DecodedSubmission.Kind, where conditions: [String: ValueMatcher], name eventName: String? = nil,
    params: String = "", id: String? = nil
  ) -> JSONEventFormat {
    changed(self) { format in
      format.add(kind, conditions, eventName, params, id.map { $0.isEmpty ? nil : JSONPath($0) } ?? rules.first?.id)
    }
  }

  private mutating func add(
    _ kind: DecodedSubmission.Kind, _ conditions: [String: ValueMatcher], _ eventName: String?, _ params: String,
    _ id: JSONPath?
  ) {
    rules.append(
      JSONItemRule(
        kind, conditions, name: eventName.map(JSONPath.init(_:)), params: params.isEmpty ? nil : JSONPath(params),
        id: id))
  }

  /// Returns a copy with some properties changed.
  public func setting(_ change: (inout JSONEventFormat) -> Void) -> JSONEventFormat {
    changed(self, change)
  }

  /// Returns the URL to configure the SDK with, so that its events arrive at `server`.
  public func address(at server: URL) -> URL {
    path.isEmpty ? server : server.appending(sentPath: path)
  }

  /// Reads the items of a request; returns `nil` if the body has no place for items.
  public func submission(in request: ReceivedRequest) throws -> DecodedSubmission? {
    guard let body = try content(of: request), !body.isEmpty else { return nil }
    var content = try self.body == .lines ? lines(of: body) : JSONItems(of: body, at: items)
    guard hasShape(content) else { return nil }
    var context = content.envelope.filter { envelope.contains($0.key) }
    for (name, value) in request.pathParams { context[name] = .string(value) }
    var submission = DecodedSubmission(items: [], response: response, attempt: attempt(in: request))
    submission.hasSignature = holdsSignature(content)
    submission.items.reserveCapacity(content.elements.count)
    for index in content.elements.indices {
      submission.read(content.elements[index].path) {
        $0.items.append(try item(of: content.takeValue(at: index), context))
      }
    }
    if let makeResponse { submission.response = makeResponse(request, submission) }
    return submission
  }
}

// MARK: - Bodies

extension JSONEventFormat {
  private func content(of request: ReceivedRequest) throws -> Data? {
    guard case .form(let field) = body.layout, request.hasForm(field) else { return request.body }
    guard let text = try request.wireForm()[field] else { return nil }
    // By its first byte: `hasPrefix` may take very long.
    if let first = text.utf8.first, "{[".utf8.contains(first) { return Data(text.utf8) }
    return Data(base64Encoded: text) ?? Data(text.utf8)
  }

  private func lines(of body: Data) -> JSONItems {
    var all = JSONItems()
    for (index, line) in body.split(separator: UInt8(ascii: "\n")).enumerated() {
      let place = "line \(index + 1)"
      do throws(JSONError) {
        for element in try JSONItems(of: line, at: items).elements { all.append(element.value, at: place) }
      } catch {
        all.append(.failure(error), at: place)
      }
    }
    return all
  }

  /// Whether the body is in this format rather than in another one at the same path.
  private func hasShape(_ content: JSONItems) -> Bool {
    if items.steps.contains(where: { $0 != .each }) { return content.isFound }
    // The body is the item, or an array of them, so only an item can tell.
    let isKnown = content.elements.contains { element in
      guard case .success(.object(let members)) = element.value else { return false }
      return rules.contains { $0.knows(members) }
    }
    return isKnown || content.elements.isEmpty && content.isFound
  }

  private func holdsSignature(_ content: JSONItems) -> Bool? {
    guard !signature.isEmpty else { return nil }
    guard case .success(.object(let members))? = content.elements.first?.value else { return false }
    return signature.contains { $0.value.accepts(JSONPath($0.key).value(in: members)) }
  }

  private func attempt(in request: ReceivedRequest) -> Int? {
    attemptHeader.map { request.headers[$0].flatMap { Int($0) } ?? 0 }
  }
}

// MARK: - Items

extension JSONEventFormat {
  private func item(of value: consuming TrackingValue, _ envelope: [String: TrackingValue]) throws
    -> DecodedSubmission.Item
  {
    guard case .object(var members) = value else {
      throw DecodedSubmission.Malformed(path: "", reason: "expected an object, found \(value.kind)")
    }
    // The members must be the only copy, so that they are changed in place.
    value = .null
    guard let rule = rules.last(for: members) else { return try unknown(members) }
    let id = rule.id.flatMap { path in
      (path.value(in: members) ?? path.value(in: envelope)
        ?? moreIDPlaces.lazy.compactMap { $0.value(in: members) }.first)?.id
    }
    let time = time.flatMap { path in
      (path.value(in: members) ?? path.value(in: envelope)
        ?? moreTimePlaces.lazy.compactMap { $0.value(in: members) }.first).flatMap(Date.init(wire:))
    }
    let site = try takeCallSite(from: &members)
    let name = try rule.takeName(from: &members)
    // First, so that they may be among the params under keys that the SDK adds.
    let more = morePlaces.compactMap { place -> (key: String, value: TrackingValue)? in
      guard case .member(let key)? = place.steps.last, let value = place.take(from: &members), value != .null else {
        return nil
      }
      return (key, value)
    }
    var (params, added) = try rule.takeParams(from: &members, addedKeys: addedParams)
    for (key, value) in more { params[.custom(key: key)] = value }
    for (key, value) in added { members[key] = value }
    if !envelope.isEmpty { members.merge(envelope) { own, _ in own } }
    var event = TrackingEvent(name: name, params: params)
    if let site { event = event.at(site) }
    return DecodedSubmission.Item(
      rule.kind, event, id: id, time: time, context: members,
      addedParams: added.map(\.key), isText: isText)
  }

  /// Takes the call site out of an item; `nil` without one.
  ///
  /// Throws if it isn't a text, or is too long.
  private func takeCallSite(from members: inout [String: TrackingValue]) throws -> CallSite? {
    guard let callSite else { return nil }
    switch callSite.take(from: &members) {
    case nil, .null?: return nil
    case .string(let text)? where text.utf8.count <= CallSite.longest: return CallSite(text)
    case .string?:
      throw DecodedSubmission.Malformed(
        path: callSite.description, reason: "expected a call site of at most \(CallSite.longest) bytes")
    case let other?:
      throw DecodedSubmission.Malformed(path: callSite.description, reason: "expected a call site, found \(other.kind)")
    }
  }

  /// Reads an item that no rule matches as `.other`; throws if the field that tells the kind is missing.
  private func unknown(_ members: [String: TrackingValue]) throws -> DecodedSubmission.Item {
    let paths = rules.flatMap(\.paths)
    guard let path = paths.first(where: { $0.value(in: members) != nil }) else {
      throw DecodedSubmission.Malformed(
        path: paths.first?.description ?? "", reason: "missing; it tells what kind of item this is")
    }
    let kind = path.value(in: members).flatMap(\.id) ?? path.description
    return DecodedSubmission.Item(.other, TrackingEvent(name: kind, params: [:]), context: members)
  }
}

extension String {
  /// Whether it is one of some keys; a star at the end of a key matches any rest.
  func isListed(in keys: [String]) -> Bool {
    keys.contains { pattern in
      pattern.utf8.last == UInt8(ascii: "*")
        ? utf8.starts(with: pattern.utf8.dropLast()) : utf8.elementsEqual(pattern.utf8)
    }
  }
}
