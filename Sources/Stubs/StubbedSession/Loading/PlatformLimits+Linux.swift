#if os(Linux)
  import Foundation

  // The limits of sessions of FoundationNetworking, all of them in the documentation's table.

  extension StubURLProtocol {
    /// swift-corelibs-foundation#5465: a protocol can't say where the file is, and the session traps without it.
    var unsupportedTask: String? {
      task is URLSessionDownloadTask
        ? "on Linux a stub can't respond to a download (swift-corelibs-foundation#5465); use a data task" : nil
    }

    /// Only its session knows an upload task's body, so it would be missing.
    var unforwardableTask: String? {
      task is URLSessionUploadTask
        ? "on Linux an upload can't be passed through if only its header fields or its body distinguish it from a stub's; use a data task"
        : nil
    }
  }

  extension ResponsePlan {
    /// The body comes in one piece, when its last piece is due.
    ///
    /// A session passes only the last piece to a completion handler, and a protocol doesn't know whether its task has one.
    var withoutLosses: ResponsePlan {
      var body = Data()
      var delay: TimeInterval = 0
      var whole: [Step] = []
      for (index, step) in steps.enumerated() {
        guard case .body(let piece) = step.event else {
          whole.append(step)
          continue
        }
        body += piece
        delay += step.delay
        if index + 1 < steps.count, case .body = steps[index + 1].event { continue }
        whole.append(Step(delay: delay, event: .body(body)))
      }
      return ResponsePlan(steps: whole)
    }
  }

  extension URLResponse {
    /// Without a challenge that the session knows, such as `Basic`: with a 401, the session would replace the protocol with its own for HTTP, which
    /// sends the request to the real server.
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
