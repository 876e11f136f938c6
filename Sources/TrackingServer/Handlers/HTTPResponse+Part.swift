import StubModel

extension HTTPResponse {
  /// Responds with 304, 206 or 416 instead of 200 if the request wants it.
  ///
  /// - Parameter made: The content's entity tag, unless the stub has set one; `nil` for no tag.
  mutating func selectPart(for request: ReceivedRequest, tag made: String?) {
    guard status == 200, let content else { return }
    let selection = PartSelection(of: content.count, for: request, tag: value(ofField: "etag"), made: made)
    status = selection.status
    for field in selection.fields { fields += "\(field.name): \(field.value)\r\n" }
    self.content = selection.bytes.map(content.part)
  }

  private func value(ofField name: String) -> String? {
    for line in fields.split(separator: "\r\n") {
      guard let colon = line.firstIndex(of: ":"), line[..<colon].lowercased() == name else { continue }
      return line[line.index(after: colon)...].drop { $0 == " " }.description
    }
    return nil
  }
}
