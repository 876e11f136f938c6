import Foundation
import TrackingModel

/// A response with its content: valid, and with its files read.
package struct PreparedResponse: Hashable, Sendable {
  package enum Content: Hashable, Sendable {
    case bytes([UInt8])
    /// Read when a request names a file.
    case folder(StubFolder)
    case stream(ByIdentity<StubStream>)
  }

  package private(set) var result: StubResponse
  package private(set) var content: Content
  /// The entity tag of a resource in memory.
  package let tag: String?

  package init(_ result: StubResponse, for endpoint: StubEndpoint? = nil, folder: StubFolder?) throws(StubError) {
    try Self.check(result, for: endpoint)
    var result = result
    switch result.content {
    case .empty:
      content = .bytes([])
    case .data(let data, let type):
      content = .bytes([UInt8](data))
      Self.set(type, &result)
    case .file(let file):
      content = .bytes([UInt8](try file.read(from: folder)))
      Self.set(MediaType.of(file.name), &result)
    case .folder(let folder):
      try folder.check()
      if let endpoint { try Self.checkFolder(endpoint.pattern) }
      content = .folder(folder)
    case .stream(let stream):
      content = .stream(stream)
    case .invalid(let reason):
      throw .result(reason)
    }
    if case .bytes(let bytes) = content, result.isResource { tag = EntityTag.of(bytes) } else { tag = nil }
    // After the media type was added.
    try Self.check(result.headers, isRecorded: result.isRecorded)
    self.result = result
  }

  /// Empty if a file is read only when a request names it.
  package var bytes: [UInt8] {
    if case .bytes(let bytes) = content { bytes } else { [] }
  }

  /// Adds the media type of a file, unless the stub has one.
  package func with(type: String) -> PreparedResponse {
    changed(self) { Self.set(type, &$0.result) }
  }

  /// Replaces `{base}` in a recorded response with the sender's URL.
  package func filled(withBase base: @autoclosure () -> String) -> PreparedResponse {
    guard result.isRecorded else { return self }
    var copy = self
    if case .bytes(let bytes) = content, RecordedBase.isText(bytes, type: result.headers["Content-Type"]) {
      copy.content = .bytes(RecordedBase.filled(bytes, with: base()))
    }
    copy.result.headers.lines = result.headers.lines.map {
      NamedText(name: $0.name, value: RecordedBase.filled($0.value, with: base()))
    }
    return copy
  }

  private static func set(_ type: String?, _ result: inout StubResponse) {
    if let type, result.headers["Content-Type"] == nil { result.headers["Content-Type"] = type }
  }

  private static func check(_ result: StubResponse, for endpoint: StubEndpoint?) throws(StubError) {
    guard (200...599).contains(result.status) else {
      throw .result("\(result.status) isn't the status of a final response, which is from 200 to 599")
    }
    guard result.reason?.unicodeScalars.allSatisfy({ $0 == "\t" || $0.value >= 32 && $0.value != 127 }) ?? true else {
      throw .result("the reason \(TrackingValue.string(result.reason ?? "")) contains a control character")
    }
    guard isTime(result.delay) else { throw .result("a response can't be delayed by \(result.delay) s") }
    if case .delay(let seconds) = result.bodyStart, !isTime(seconds) {
      throw .result("a body can't be delayed by \(seconds) s")
    }
    if result.dribble != nil, case .stream = result.content {
      throw .result("a stream is sent as the test writes it, so it can't be sent in pieces")
    }
    if let dribble = result.dribble, !isTime(dribble.duration) || dribble.pieces < 1 {
      throw .result("a body can't be sent in \(dribble.pieces) pieces over \(dribble.duration) s")
    }
    try check(result.fault, for: endpoint)
  }

  /// Refuses a pattern whose paths don't name a file of a folder.
  private static func checkFolder(_ pattern: RequestPattern) throws(StubError) {
    let paths = pattern.conditions.map(\.path)
    guard !paths.contains(where: \.endsInWildcard) else { return }
    throw .path(paths.first.map { "\($0)" } ?? "\(pattern)", reason: "names no file of the folder: end it with /*")
  }

  private static func check(_ headers: MessageHeaders, isRecorded: Bool) throws(StubError) {
    for field in headers.lines where !field.canBeSent && !(isRecorded && field.isLength) {
      throw .result("the header \(field.name): \(field.value) can't be sent\(field.framingReason ?? "")")
    }
  }

  private static func check(_ fault: HTTPFault?, for endpoint: StubEndpoint?) throws(StubError) {
    guard let fault, let endpoint else { return }
    switch fault.position {
    case .accept:
      throw .result("a connection is accepted before a request arrives, so a stub can't have \(fault): use inject(_:)")
    case .requestHead, .requestBody:
      if let code = endpoint.pattern.code {
        throw .result("\(code), which is called when the body has arrived, so the stub can't have \(fault)")
      }
      guard !endpoint.pattern.needsBody else {
        throw .result("a stub that looks at the body can't have \(fault), which comes before the body has arrived")
      }
    case .response, .responseBody, .afterResponse: break
    }
  }

  /// More than a week is a mistake in the unit.
  private static func isTime(_ seconds: Double) -> Bool { (0...604_800).contains(seconds) }
}
