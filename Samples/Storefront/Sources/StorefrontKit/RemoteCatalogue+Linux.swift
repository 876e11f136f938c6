#if canImport(FoundationNetworking)
  // The module of `URLSession` on Linux; exported, so that code that creates a `RemoteCatalogue` sees it too.
  @_exported import FoundationNetworking
#endif
