#if canImport(FoundationNetworking)
  // The module of `URLSession` on Linux.
  @_exported import FoundationNetworking
#endif
#if canImport(Glibc)
  import Glibc
#endif

enum URLLoading {
  /// The reason why URL loading can't be used, if there is one.
  ///
  /// On Linux it uses libcurl, which a program of `Scripts/release` loads at the first use.
  static var problem: String? {
    #if canImport(Glibc)
      guard dlopen("libcurl.so.4", RTLD_LAZY) == nil else { return nil }
      return "libcurl.so.4 is missing, through which backends on other machines and https are reached; install libcurl4"
    #else
      return nil
    #endif
  }
}
