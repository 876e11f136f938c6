#if canImport(FoundationNetworking)
  @_exported import FoundationNetworking
#endif
