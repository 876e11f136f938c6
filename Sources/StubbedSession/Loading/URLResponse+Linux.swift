#if os(Linux)
  import Foundation

  extension URLResponse {
    /// The response without what a session cannot be told.
    ///
    /// Told of a 401 with a challenge that it knows, such as `Basic`, a session of FoundationNetworking does not end the task but replaces
    /// the protocol by its own for HTTP, which asks the real server. So the challenge is left out.
    var withoutTraps: URLResponse {
      guard let response = self as? HTTPURLResponse, response.statusCode == 401, let url = response.url else {
        return self
      }
      var headers: [String: String] = [:]
      for case (let name as String, let value as String) in response.allHeaderFields
      where name.lowercased() != "www-authenticate" {
        headers[name] = value
      }
      return HTTPURLResponse(url: url, statusCode: 401, httpVersion: "HTTP/1.1", headerFields: headers) ?? self
    }
  }
#endif
