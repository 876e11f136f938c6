import StubModel

extension TrackingServer {
  /// Installs stubs that stay as long as the server exists.
  ///
  /// For the command `tracking` alone: a test's stubs belong to its verifier.
  ///
  /// - Parameter folder: Where their files are.
  /// - Throws: What is not valid in a stub, such as a file that can't be read; none is installed then.
  package func install(_ stubs: [StubEndpoint], files folder: StubFolder?) throws(StubError) {
    try install(stubs, files: folder, of: self.stubs.makeOwner())
  }

  /// Installs stubs of an owner, or none if one isn't valid.
  package func install(
    _ stubs: [StubEndpoint], files folder: StubFolder?, of owner: StubStore.Owner
  ) throws(StubError) {
    let prepared = try stubs.map { (stub) throws(StubError) in try PreparedStub(stub, folder: folder) }
    for stub in prepared { _ = self.stubs.install(stub, of: owner) }
  }
}
