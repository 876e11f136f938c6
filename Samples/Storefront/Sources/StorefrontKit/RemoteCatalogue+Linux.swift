#if canImport(FoundationNetworking)
  // Where `URLSession` is on Linux; exported, so that whoever makes a `RemoteCatalogue` sees it too.
  @_exported import FoundationNetworking
#endif
