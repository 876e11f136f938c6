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
    let prepared = try stubs.map { (stub) throws(StubError) in try PreparedStub(stub, folder: folder) }
    for stub in prepared { _ = self.stubs.install(stub, of: owner) }
  }
}
