import Foundation
import StubModel

// Bodies, by their media types.

extension SecretVisitor {
  mutating func body(_ body: Data, headers: inout MessageHeaders, of side: String) -> Data {
    guard !body.isEmpty else { return body }
    let type = headers["Content-Type"] ?? ""
    let bytes = [UInt8](body)
    let new = inside("\(side) body") { $0.multipart(bytes, type: type) ?? $0.content(bytes, type: type) }
    guard new != bytes else { return body }
    if headers["Content-Length"] != nil { headers["Content-Length"] = "\(new.count)" }
    return Data(new)
  }

  /// A body, or a part of one.
  private mutating func content(_ bytes: [UInt8], type: String) -> [UInt8] {
    if let text = UTF16Text(bytes) {
      let new = text8(text.bytes, type: type)
      return new == text.bytes ? bytes : text.encoded(new)
    }
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    return bytes.starts(with: mark) ? mark + text8(Array(bytes[3...]), type: type) : text8(bytes, type: type)
  }

  /// A body in UTF-8 or in no encoding at all.
  private mutating func text8(_ bytes: [UInt8], type: String) -> [UInt8] {
    if type.lowercased().hasPrefix("application/x-www-form-urlencoded") {
      // Also the type that some clients give to JSON.
      return json(bytes) ?? items(bytes)
    }
    let style = bytes.withUnsafeBufferPointer { TextStyle(ofBody: $0, type: type) }
    return json(bytes) ?? text(bytes, style: style)
  }

  /// A `multipart/form-data` body; `nil` if it isn't one.
  private mutating func multipart(_ body: [UInt8], type: String) -> [UInt8]? {
    let request = ReceivedRequest(method: "", path: "", headers: ["Content-Type": type], body: Data(body))
    guard let parts = request.parts else { return nil }
    var edits: [(range: Range<Int>, bytes: [UInt8])] = []
    var rest = body[...]
    for part in parts {
      let data = [UInt8](part.data)
      // The parts come in the order of the body, each between an empty line and a boundary.
      let framed = [13, 10, 13, 10] + data + [13, 10, UInt8(ascii: "-"), UInt8(ascii: "-")]
      guard let found = rest.firstRange(of: framed) else { continue }
      rest = rest[(found.upperBound - 4)...]
      let new = inside(part.name) { visitor in
        switch visitor.names.verdict(on: part.name) {
        case .plain: visitor.content(data, type: part.headers["Content-Type"] ?? "")
        case .kept(let kind): visitor.kept(data, insteadOf: kind)
        case .secret(let kind): visitor.credentials(data, kind, anyScheme: false)
        }
      }
      if new != data { edits.append((found.lowerBound + 4..<found.upperBound - 4, new)) }
    }
    return replaced(body.replacing(edits))
  }
}
