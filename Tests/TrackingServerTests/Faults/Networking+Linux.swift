#if canImport(FoundationNetworking)
  // Where Foundation does not bring URLSession itself.
  @_exported import FoundationNetworking
#endif
