import StubModel
