#if canImport(FoundationNetworking)
  // The module of `URLSession` on Linux; exported, so that `RawSender.swift` sees it.
  @_exported import FoundationNetworking
#endif
