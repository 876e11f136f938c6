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

    /// Why a task of this kind cannot be sent on when no stub answers it.
    ///
    /// What an upload task uploads is known to its session alone, and would be missing.
    var unforwardableTask: String? {
      task is URLSessionUploadTask
        ? "on Linux an upload cannot be sent on that only its header fields or its body tell from a stub's; use a data task"
        : nil
    }
  }
#endif
