#if os(Linux)
  import Foundation

  /// A regular file that exists and that no user can read, not even root, as whom most CI runs.
  package struct UnreadableFile: Sendable {
    package let folder = URL(filePath: "/proc/self", directoryHint: .isDirectory)
    /// The memory of this process: the kernel refuses to read its first page.
    package let name = "mem"

    package init() throws {}

    package func remove() {}
  }
#endif
