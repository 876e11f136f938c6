import Foundation
import StubModel

extension HTTPResponse {
  /// Answers with 304, 206 or 416 instead of 200 if the request asks for it.
  ///
  /// - Parameter made: The entity tag of the content, if the stub hasn't set one; `nil` for none.
  mutating func selectPart(for request: HTTPRequest, tag made: String?) {
    guard status == 200, let content else { return }
    let selection = PartSelection(of: content.count, for: request, tag: HeaderFields(lines: fields)["ETag"], made: made)
    status = selection.status
    for field in selection.fields { fields += "\(field.name): \(field.value)\r\n" }
    self.content = selection.bytes.map { content.dropFirst($0.lowerBound).prefix($0.count) }
  }
}

extension HeaderFields {
  /// The fields of complete field lines.
  init(lines: String) {
    self.init(
      fields: lines.split(separator: "\r\n").compactMap { line in
        line.firstIndex(of: ":").map { colon in
          Field(
            name: String(line[..<colon]), value: line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces))
        }
      })
  }
}
