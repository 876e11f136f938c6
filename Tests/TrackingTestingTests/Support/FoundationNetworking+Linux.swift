#if canImport(FoundationNetworking)
  // Where `URLSession` is on Linux; exported, so that the other files see it.
  @_exported import FoundationNetworking
#endif
