#if canImport(Darwin) && !os(macOS)
  import Foundation

  /// A stand-in for Foundation's class on platforms without it, so that code that launches programs compiles there; it can't be created.
  @available(iOS, unavailable)
  @available(tvOS, unavailable)
  @available(visionOS, unavailable)
  @available(watchOS, unavailable)
  package final class Process {
    package enum TerminationReason {
      case exit, uncaughtSignal
    }

    package var executableURL: URL?
    package var arguments: [String]?
    package var environment: [String: String]?
    package var standardInput: Any?
    package var standardOutput: Any?
    package var standardError: Any?
    package var terminationHandler: (@Sendable (Process) -> Void)?
    package let isRunning = false
    package let processIdentifier: Int32 = 0
    package let terminationStatus: Int32 = 0
    package let terminationReason = TerminationReason.exit

    package init() {}

    package func run() throws {}
    package func waitUntilExit() {}
  }
#endif
