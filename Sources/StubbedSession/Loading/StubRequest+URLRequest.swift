import Foundation

extension StubRequest {
  /// A request as stubs see it, without a body; `nil` for one that is not HTTP.
  init?(head request: URLRequest) {
    guard let url = request.url, let scheme = url.scheme?.lowercased(), scheme == "http" || scheme == "https",
      let components = URLComponents(url: url, resolvingAgainstBaseURL: true)
    else { return nil }
    let fields = (request.allHTTPHeaderFields ?? [:]).sorted { $0.key < $1.key }
    self.init(
      method: request.httpMethod ?? "GET", host: url.host(percentEncoded: false)?.lowercased(),
      path: components.percentEncodedPath.isEmpty ? "/" : components.percentEncodedPath,
      queryText: components.percentEncodedQuery,
      headers: HeaderFields(fields: fields.map { HeaderFields.Field(name: $0.key, value: $0.value) }))
  }

  /// A request with its body; waits for a body that is a stream.
  init?(_ request: URLRequest) {
    self.init(head: request)
    body = request.httpBody ?? request.httpBodyStream.map(Self.contents) ?? Data()
  }

  /// Apple's sessions give their protocols every body as a stream.
  private static func contents(of stream: InputStream) -> Data {
    stream.open()
    defer { stream.close() }
    var contents = Data()
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = buffer.withUnsafeMutableBufferPointer { buffer in
        buffer.baseAddress.map { stream.read($0, maxLength: buffer.count) } ?? 0
      }
      guard count > 0 else { return contents }
      contents.append(contentsOf: buffer[..<count])
    }
  }
}
