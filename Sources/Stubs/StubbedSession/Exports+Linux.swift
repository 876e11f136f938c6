#if canImport(FoundationNetworking)
  // The module of `URLSession` on Linux.
  @_exported import FoundationNetworking
#endif
