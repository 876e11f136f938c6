#if canImport(FoundationNetworking)
  // On Linux `URLSession` is in a separate module.
  @_exported import FoundationNetworking
#endif
