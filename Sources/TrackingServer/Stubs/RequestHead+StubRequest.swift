import Foundation
import StubModel

extension RequestHead {
  /// The request as stubs see it, with as much of its body as there is.
  func stubRequest(
    body: UnsafeRawBufferPointer = UnsafeRawBufferPointer(start: nil, count: 0),
    jsonDepth: Int = StubRequest.deepestJSON
  ) -> StubRequest {
    var request = StubRequest(
      method: methodName, host: hostName?.lowercased(), path: path.isEmpty ? target : path, queryText: query,
      headers: HeaderFields(fields: fields.map { HeaderFields.Field(name: $0.name, value: $0.value) }), body: Data(body)
    )
    request.jsonDepth = jsonDepth
    return request
  }
}
