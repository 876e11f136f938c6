import Foundation

// Bodies, by their media types.

extension SecretVisitor {
  mutating func body(_ body: Data, _ headers: inout MessageHeaders) -> Data {
    guard !body.isEmpty else { return body }
    let (bytes, type) = ([UInt8](body), headers["Content-Type"] ?? "")
    let new = multipart(bytes, type: type) ?? content(bytes, type: type)
    guard new != bytes else { return body }
    if headers["Content-Length"] != nil { headers["Content-Length"] = "\(new.count)" }
    return Data(new)
  }

  private mutating func content(_ bytes: [UInt8], type: String) -> [UInt8] {
    let type = type.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces).lowercased()
    let isUTF16 = bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF])
    let isData = type.contains("json") || type == "text/event-stream" || type.hasPrefix("multipart/")
    // Some servers label JSON as text, and some clients as a form.
    if !isUTF16, isData || Self.isJSON(bytes) { return json(bytes) }
    if type.hasSuffix("html") || type.hasSuffix("xhtml+xml") { return xml(bytes, isHTML: true) }
    if type.hasSuffix("xml") { return xml(bytes, isHTML: false) }
    return type == "application/x-www-form-urlencoded" ? form(bytes) : text(bytes)
  }

  private mutating func multipart(_ body: [UInt8], type: String) -> [UInt8]? {
    guard let parts = ReceivedPart.parts(of: Data(body), type: type) else { return nil }
    var edits: [Edit] = []
    var rest = body[...]
    for part in parts {
      // The parts come in the order of the body, each between an empty line and a boundary.
      let framed = [13, 10, 13, 10] + [UInt8](part.data) + [13, 10, UInt8(ascii: "-"), UInt8(ascii: "-")]
      guard let found = rest.firstRange(of: framed) else { continue }
      rest = rest[(found.upperBound - 4)...]
      let classification = names.classification(of: part.name)
      edits += edit(found.lowerBound + 4..<found.upperBound - 4, of: body, as: part.name) { visitor, data in
        classification == .plain ? visitor.content(data, type: part.type) : visitor.value(data, classification)
      }
    }
    return text(body, edits: edits)
  }
}
