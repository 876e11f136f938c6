import StubModel

extension TrackingServer {
  /// Installs stubs that stay as long as the server exists, for the command `tracking` alone: a test's stubs belong to its verifier.
  ///
  /// - Parameter folder: The folder of their files.
  /// - Throws: The error in a stub, such as an unreadable file; then no stub is installed.
  package func install(_ stubs: [StubEndpoint], files folder: StubFolder?) throws(StubError) {
    try install(stubs, files: folder, of: self.stubs.makeOwner())
  }

  /// Installs an owner's stubs, or none if one isn't valid.
  package func install(
    _ stubs: [StubEndpoint], files folder: StubFolder?, of owner: StubStore.Owner
  ) throws(StubError) {
    let prepared = try stubs.map { (stub) throws(StubError) in
      let stub = try PreparedStub(stub, folder: folder)
      try check(stub)
      return stub
    }
    for stub in prepared { _ = self.stubs.install(stub, of: owner) }
  }

  /// Refuses a stub for requests to which only the server itself responds.
  package func check(_ stub: PreparedStub) throws(StubError) {
    let conditions = stub.endpoint.pattern.conditions
    func refusal(_ calls: String, _ reason: String) -> StubError {
      .result(configuration.vocabulary == .calls ? calls : "\(stub.endpoint) can't be a stub: \(reason)")
    }
    if conditions.contains(where: { "\($0.path)".hasPrefix("/-tracking/") }) {
      throw refusal(
        "paths under /-tracking/ belong to the inspector: choose another one",
        "paths under /-tracking/ belong to the server")
    }
    let posts = conditions.filter { $0.method == .post }.map(\.path)
    if let path = configuration.eventPath, posts.contains(.template(path)) {
      throw refusal(
        """
        POST \(path) receives the app's events: change their responses with respondToEvents(with:), or move them to \
        another path with `eventPath` in the server's configuration
        """, "it receives the app's events")
    }
    for path in WirePath.all where posts.contains(.template("\(path)")) {
      throw refusal(
        "the server responds to POST \(path) itself: choose another path", "the server responds to it itself")
    }
  }
}
