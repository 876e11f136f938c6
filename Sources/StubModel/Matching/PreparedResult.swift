import Foundation
import TrackingModel

/// An answer whose content is at hand.
package struct PreparedResult: Hashable, Sendable {
  /// Where the content comes from.
  package enum Content: Hashable, Sendable {
    case bytes([UInt8])
    /// Read when a request names a file.
    case folder(StubFolder)
    /// Sent by the test.
    case stream(StubStream)
  }

  /// As it was asked for.
  package private(set) var result: StubResult
  package let content: Content
  /// The entity tag of the content, if it is a resource that is at hand.
  package let tag: String?

  /// - Throws: What is wrong with it.
  package init(_ result: StubResult, for endpoint: StubEndpoint? = nil, folder: StubFolder?) throws(StubError) {
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
      if let endpoint, !endpoint.path.endsInWildcard {
        throw .path("\(endpoint.path)", reason: "names no file of the folder: end it with /*")
      }
      content = .folder(folder)
    case .stream(let stream):
      content = .stream(stream)
    case .invalid(let reason):
      throw .result(reason)
    }
    if case .bytes(let bytes) = content, result.isResource { tag = EntityTag.of(bytes) } else { tag = nil }
    // Now that the media type is among them.
    try Self.check(result.headers)
    self.result = result
  }

  /// Its content; none for one that is read when a request names a file.
  package var bytes: [UInt8] {
    if case .bytes(let bytes) = content { bytes } else { [] }
  }

  /// The same with the media type of a file, unless another was asked for.
  package func with(type: String) -> PreparedResult {
    var copy = self
    Self.set(type, &copy.result)
    return copy
  }

  private static func set(_ type: String?, _ result: inout StubResult) {
    if let type, result.headers["Content-Type"] == nil { result.headers.set("Content-Type", type) }
  }

  private static func check(_ result: StubResult, for endpoint: StubEndpoint?) throws(StubError) {
    guard (200...599).contains(result.status) else {
      throw .result("\(result.status) is no status of a final answer; they go from 200 to 599")
    }
    guard result.reason?.unicodeScalars.allSatisfy({ $0 == "\t" || $0.value >= 32 && $0.value != 127 }) ?? true else {
      throw .result("the reason \(TrackingValue.string(result.reason ?? "")) holds a control character")
    }
    guard isTime(result.delay) else { throw .result("an answer cannot be delayed by \(result.delay) s") }
    if case .delay(let seconds) = result.bodyStart, !isTime(seconds) {
      throw .result("a body cannot be delayed by \(seconds) s")
    }
    if let dribble = result.dribble, !isTime(dribble.duration) || dribble.pieces < 1 {
      throw .result("a body cannot be sent in \(dribble.pieces) pieces over \(dribble.duration) s")
    }
    try check(result.fault, for: endpoint)
  }

  private static func check(_ headers: HeaderFields) throws(StubError) {
    for field in headers.fields where !field.canBeSent {
      throw .result("the header \(field.name): \(field.value) cannot be sent")
    }
  }

  private static func check(_ fault: Fault?, for endpoint: StubEndpoint?) throws(StubError) {
    guard let fault, let endpoint else { return }
    switch fault.position {
    case .accept:
      throw .result("no request is known when a connection is accepted, so no stub can have \(fault): use inject(_:)")
    case .requestHead, .requestBody:
      guard endpoint.body == .ignored else {
        throw .result("a stub that looks at the body cannot have \(fault), before the body is there")
      }
    case .response, .responseBody, .afterResponse: break
    }
  }

  /// A week and more is a mistake in the unit.
  private static func isTime(_ seconds: Double) -> Bool { (0...604_800).contains(seconds) }
}
