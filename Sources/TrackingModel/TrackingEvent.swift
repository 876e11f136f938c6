/// A user action that an app reports to an analytics provider: a name and params.
///
/// ```swift
/// tracker.track(TrackingEvent(name: "button_tapped", params: [.eventName: "button1_tapped", .screen: "main_screen"]))
/// ```
///
/// Two events are equal when the UTF-8 bytes of their names are, and their params are equal as ``TrackingValue``s: `3` and `3.0` are one number.
public struct TrackingEvent: Sendable {
  /// The name, for example `"button_tapped"`.
  public var name: String
  /// Details of the action, such as the screen or a price.
  public var params: [TrackingParam: TrackingValue]
  /// The submission of an analytics SDK that carried the event; not part of equality, hash values or coding.
  package var origin: SDKOrigin?
  /// Not part of equality, hash values or coding.
  private(set) var sharedCallSite: SharedCallSite?

  /// Creates an event with params written as literals, nested and mixed as JSON allows.
  ///
  /// ```swift
  /// TrackingEvent(name: "purchase", params: ["items": [["id": "42", "price": 9.5, "gift": true]], "coupon": nil])
  /// ```
  public init(name: String, params: [TrackingParam: TrackingValue]) {
    self.name = name
    self.params = params
  }

  /// Creates an event with params from variables: strings, numbers, dates, enums, arrays and any other ``TrackingValueConvertible``.
  ///
  /// Literals and variables may be mixed. Mark a list or an object of mixed types as a `TrackingValue`, and wrap the variables in it:
  ///
  /// ```swift
  /// TrackingEvent(name: "viewed", params: ["list": name, "items": [["id": .init(product.id), "qty": 2]] as TrackingValue])
  /// ```
  @_disfavoredOverload
  public init(name: String, params: [TrackingParam: (any TrackingValueConvertible)?] = [:]) {
    self.init(name: name, params: params.mapValues { $0?.trackingValue ?? .null })
  }
}

extension TrackingEvent {
  /// The event as decoded from the wire, its params in ``TrackingValue/canonical`` form.
  package var canonical: TrackingEvent {
    var event = self
    event.params = params.mapValues { $0.canonical }
    return event
  }
}

extension TrackingEvent: Hashable {
  /// Compares names and params.
  public static func == (left: TrackingEvent, right: TrackingEvent) -> Bool {
    left.name.isSameText(as: right.name) && left.params == right.params
  }

  /// Hashes name and params.
  public func hash(into hasher: inout Hasher) {
    name.hashText(into: &hasher)
    hasher.combine(params)
  }
}

extension TrackingEvent {
  /// The line of the app that tracked the event; `nil` for `trackEvent(_:)`, and for other senders that don't name it.
  ///
  /// Not part of equality, hash values or coding; patterns and plans ignore it.
  public var callSite: CallSite? { sharedCallSite?.site }

  package func at(_ site: CallSite) -> TrackingEvent {
    var event = self
    event.sharedCallSite = site.text.withBytes { SharedCallSite.of($0) }
    return event
  }

  package func at(_ site: SharedCallSite?) -> TrackingEvent {
    var event = self
    event.sharedCallSite = site
    return event
  }

  /// Adds the line that tracks the event, unless it has one, as behind a tracker that forwards events.
  func tracked(at fileID: String, _ line: Int) -> TrackingEvent {
    sharedCallSite == nil ? at(SharedCallSite.at(fileID, line)) : self
  }
}

extension TrackingEvent {
  /// The values that an analytics SDK added: library, device, user and session; empty for an event from the app's own tracker.
  ///
  /// ```swift
  /// XCTAssertEqual(verifier.wait(for: .named("purchase"))?.context["$os"], "iOS")
  /// ```
  public var context: [String: TrackingValue] { origin?.context ?? [:] }
}

extension TrackingEvent: Codable {
  private enum CodingKeys: String, CodingKey {
    case name, params
  }

  /// Reads `{"name": ..., "params": {...}}`; `params` may be missing.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    name = try container.decode(String.self, forKey: .name)
    params = try container.decodeIfPresent(TrackingParams.self, forKey: .params)?.values ?? [:]
  }

  /// Writes `{"name": ..., "params": {...}}`, the params sorted by key.
  ///
  /// `JSONEncoder` keeps that order only with its `sortedKeys` formatting.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(name, forKey: .name)
    try container.encode(TrackingParams(values: params), forKey: .params)
  }
}

extension TrackingEvent: CustomStringConvertible {
  /// The event on one line, its params sorted by key: `button_tapped(event_name: "button1_tapped", screen: "main_screen")`.
  public var description: String {
    let list = params.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
    return "\(name)(\(list.joined(separator: ", ")))"
  }
}

/// The params as an object, sorted by key.
private struct TrackingParams: Codable {
  var values: [TrackingParam: TrackingValue]

  init(values: [TrackingParam: TrackingValue]) {
    self.values = values
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: TrackingParam.self)
    values = [:]
    for key in container.allKeys {
      values[key] = try container.decode(TrackingValue.self, forKey: key)
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: TrackingParam.self)
    for (key, value) in values.sorted(by: { $0.key < $1.key }) {
      try container.encode(value, forKey: key)
    }
  }
}
