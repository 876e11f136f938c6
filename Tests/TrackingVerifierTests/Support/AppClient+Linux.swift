#if canImport(FoundationNetworking)
  // Where `URLSession` is on Linux; exported, so that `AppClient.swift` sees it.
  @_exported import FoundationNetworking
#endif
