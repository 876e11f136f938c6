#if os(Linux)
  import Foundation

  extension StubURLProtocol {
    /// Why a task of this kind cannot be answered.
    ///
    /// swift-corelibs-foundation#5465: a protocol has no way to say where the file is, and the session ends the process for want of it.
    var unsupportedTask: String? {
      task is URLSessionDownloadTask
        ? "on Linux a download cannot be answered by a stub (swift-corelibs-foundation#5465); use a data task" : nil
    }
  }
#endif
