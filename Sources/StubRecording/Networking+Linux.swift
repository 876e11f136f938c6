#if canImport(FoundationNetworking)
  // Where `URLSession` is on Linux.
  @_exported import FoundationNetworking
#endif
