import StubModel

extension TrackingServer {
  /// Installs stubs that stay as long as the server exists.
  ///
  /// For the command `tracking` alone: a test's stubs belong to its verifier.
  ///
  /// - Parameter folder: Where their files are.
  /// - Throws: What is not valid in a stub, such as a file that can't be read; none is installed then.
  @_spi(TrackingCommand)
  public func install(_ stubs: [StubEndpoint], files folder: StubFolder?) throws(StubError) {
    var prepared: [PreparedStub] = []
    for stub in stubs { prepared.append(try PreparedStub(stub, folder: folder)) }
    let owner = self.stubs.makeOwner()
    for stub in prepared { _ = self.stubs.install(stub, of: owner) }
  }
}
