import TrackingJSON
import TrackingModel

struct EventReader {
  /// The deepest nesting that fits the server thread's stack in a debug build with a sanitizer; no configuration exceeds it.
  private static let deepest = 2_048

  private let maximumDepth: Int

  init(maximumDepth: Int) {
    self.maximumDepth = min(maximumDepth, Self.deepest)
  }

  /// Reads a body: one object, or an array of them.
  ///
  /// If one event is invalid, throws its error, and none of the body's events count.
  func events(in body: UnsafeBufferPointer<UInt8>) throws(JSONError) -> [TrackingEvent] {
    var reader = JSONReader(body, maximumDepth: maximumDepth)
    var events: [TrackingEvent] = []
    var last: LastCallSite?
    switch reader.peek() {
    case UInt8(ascii: "{"):
      events.append(try Self.event(from: &reader, &last))
    case UInt8(ascii: "["):
      try reader.array { (reader) throws(JSONError) in events.append(try Self.event(from: &reader, &last)) }
    default:
      throw reader.failure("expected an event or an array of events, found \(reader.found())")
    }
    try reader.end()
    return events
  }

  /// Reads `{"name": ..., "params": {...}, "at": ...}`; refuses any other member, which would be lost.
  private static func event(
    from reader: inout JSONReader, _ last: inout LastCallSite?
  ) throws(JSONError) -> TrackingEvent {
    var name: String?
    var params: [TrackingParam: TrackingValue]?
    var site: SharedCallSite?
    var hasSite = false
    _ = reader.peek()
    let start = reader.offset
    try reader.object { (reader, key) throws(JSONError) in
      let first = reader.peek()
      switch key {
      case "name":
        guard first == UInt8(ascii: "\"") else {
          throw reader.failure("an event's name must be a string, found \(reader.found())")
        }
        let isNew = name == nil
        name = try reader.string()
        return isNew
      case "params":
        guard first == UInt8(ascii: "{") else {
          throw reader.failure("an event's params must be an object, found \(reader.found())")
        }
        let isNew = params == nil
        params = try Self.params(from: &reader)
        return isNew
      case "at":
        guard first == UInt8(ascii: "\"") else {
          throw reader.failure("an event's call site must be a string, found \(reader.found())")
        }
        let isNew = !hasSite
        site = try Self.callSite(from: &reader, &last)
        hasSite = true
        return isNew
      default:
        throw reader.failure("an event has only name, params and at")
      }
    }
    guard let name else { throw JSONError(reason: "the event has no name", path: "name", offset: start) }
    let event = TrackingEvent(name: name, params: params ?? [:])
    return hasSite ? event.at(site) : event
  }

  /// Reads a call site; `nil` if it is empty.
  private static func callSite(
    from reader: inout JSONReader, _ last: inout LastCallSite?
  ) throws(JSONError) -> SharedCallSite? {
    // The events of a batch often come from one line.
    if let last, reader.skip(last.written) { return last.site }
    let start = reader.offset
    if let text = reader.plainString() {
      guard text.count <= CallSite.longest else { throw tooLong(at: start) }
      let site = SharedCallSite.of(text)
      last = LastCallSite(written: reader.written(from: start), site: site)
      return site
    }
    let text = try reader.string()
    guard text.utf8.count <= CallSite.longest else { throw tooLong(at: start) }
    return text.withBytes { SharedCallSite.of($0) }
  }

  private static func tooLong(at offset: Int) -> JSONError {
    JSONError(reason: "an event's call site has at most \(CallSite.longest) bytes", offset: offset)
  }

  private static func params(from reader: inout JSONReader) throws(JSONError) -> [TrackingParam: TrackingValue] {
    var params: [TrackingParam: TrackingValue] = [:]
    try reader.object { (reader, key) throws(JSONError) in
      let value = try reader.value()
      // Events have several params; growing from one to three would hash each of them again.
      if params.isEmpty { params = Dictionary(minimumCapacity: 3) }
      return params.updateValue(value, forKey: .custom(key: key)) == nil
    }
    return params
  }
}

/// The last call site, as written in the body.
private struct LastCallSite {
  let written: UnsafeBufferPointer<UInt8>
  let site: SharedCallSite?
}
