import StubModel

extension StubTable {
  /// A table with stubs that were installed in this order.
  init(installing stubs: [StubEndpoint], folder: StubFolder? = nil) throws {
    self.init()
    for stub in stubs { install(try PreparedStub(stub, folder: folder)) }
  }
}
