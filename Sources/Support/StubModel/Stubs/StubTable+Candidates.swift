extension StubTable {
  /// The stubs that may respond to a request, as they were at one moment, so that they can be compared without a lock.
  package struct Candidates: Sendable {
    package struct Match: Sendable {
      package let id: ID
      package let stub: PreparedStub
      /// The request with the values of the path's params.
      let request: ReceivedRequest
      /// Whether a stub for GET responds to a HEAD request, which uses up none of its responses.
      let isHeadOfGet: Bool
      /// An earlier stub that might match, and the reason why this isn't known.
      let doubt: String?
    }

    package enum Search: Sendable {
      case match(Match)
      /// A candidate has conditions in code, which the current thread must not call.
      case needsCode
      case none
    }

    private let entries: [Entry]
    /// In the order in which they are tried.
    private let places: [Int]
    private var methods: ArraySlice<ReceivedRequest.Method>
    private var next = 0
    private var doubt: String?

    init(_ entries: [Entry], _ places: [Int], for request: ReceivedRequest) {
      (self.entries, self.places) = (entries, places)
      // RFC 9110 9.3.2: the stub for GET responds to a HEAD request that has no stub.
      methods = request.method == .head ? [.head, .get] : [request.method]
    }

    /// Finds the next stub that matches; `callsCode` says whether the current thread may call conditions in code.
    package mutating func search(_ parsed: ParsedRequest, callsCode: Bool) -> Search {
      while let method = methods.first {
        parsed.method = method
        while next < places.count {
          let entry = entries[places[next]]
          next += 1
          let pattern = entry.stub.endpoint.pattern
          if entry.stub.hasCode, !callsCode {
            guard !pattern.mayMatch(parsed, knowing: .head) else { return .needsCode }
            continue
          }
          switch pattern.match(parsed) {
          case .no: break
          case .undecided(let reason):
            doubt = doubt ?? "\(entry.stub.endpoint), which comes first, could not be compared with it: \(reason)"
          case .yes(let params):
            var request = parsed.request
            request.pathParams = params
            return .match(
              Match(
                id: entry.id, stub: entry.stub, request: request, isHeadOfGet: method != request.method, doubt: doubt))
          }
        }
        methods.removeFirst()
        next = 0
      }
      return .none
    }

    /// Whether any candidate may match a request, as far as method, URL and query tell.
    package func mayMatch(_ parsed: ParsedRequest) -> Bool {
      methods.contains { method in
        parsed.method = method
        return places.contains { entries[$0].stub.endpoint.pattern.mayMatch(parsed, knowing: .line) }
      }
    }
  }
}
