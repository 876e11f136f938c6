import Foundation
import TrackingModel

/// The launch of this process: passed to the process itself, or read from a folder in which another process has saved it.
package struct ProcessLaunch: Sendable {
  package private(set) var environment: [String: String]
  package private(set) var arguments: [String]
  /// The reason why neither a verifier nor the provider may be used, if there is one.
  package private(set) var refusal: String?
  /// The source of the launch, or the reason why the folder wasn't used, for the log.
  package private(set) var note: String?

  /// In seconds, for the requests to all verifiers.
  private static let patience = 0.5

  private init(environment: [String: String], arguments: [String]) {
    (self.environment, self.arguments) = (environment, arguments)
  }

  /// Finds the launch; sends requests to verifiers only if the process has no launch itself and the folder has one that hasn't expired.
  ///
  /// `folder` is used only if `isDebugBuild`.
  package static func find(
    environment: [String: String], arguments: [String], sharing folder: LaunchFolder?,
    isDebugBuild: Bool = Self.checksAssertions, now: Date = Date()
  ) -> ProcessLaunch {
    var launch = ProcessLaunch(environment: environment, arguments: arguments)
    guard let folder, isDebugBuild else { return launch }
    do throws(LaunchFolderError) {
      let files = try LaunchFiles(at: folder.place)
      if let own = PassedLaunch(environment: environment, arguments: arguments) {
        try leave(own, in: files, for: folder.lifetime, now)
      } else {
        launch.take(files.launches(now: now), folder.refusesWithoutVerifier, now)
      }
    } catch {
      launch.note = "\(error)"
    }
    return launch
  }

  private static func leave(
    _ launch: PassedLaunch, in files: LaunchFiles, for lifetime: TimeInterval, _ now: Date
  ) throws(LaunchFolderError) {
    guard let session = launch.endpoint?.session, VerifierChannel(launch) != nil else { throw .noSession }
    try files.leave(
      launch, of: session, process: ProcessInfo.processInfo.processName, now: now, lifetime: lifetime)
  }

  private mutating func take(
    _ launches: [LaunchFiles.LeftLaunch], _ refusesWithoutVerifier: Bool, _ now: Date
  ) {
    let deadline = ContinuousClock.now + .seconds(Self.patience)
    let running = launches.compactMap { left in
      VerifierChannel(left.launch).flatMap { $0.verifierResponds(until: deadline) ? (left, $0) : nil }
    }
    if running.count > 1 {
      refuse(running.map(\.0))
      for (_, channel) in running { channel.report(problem: "LaunchFolder: \(refusal ?? "")") }
    } else if let (left, _) = running.first {
      (environment, arguments) = (
        environment.merging(left.launch.environment) { $1 }, arguments + left.launch.arguments
      )
      note = "uses the launch shared by \(left.process)"
    } else if let left = launches.first, refusesWithoutVerifier {
      let rest = Int((left.expires - now.timeIntervalSince1970).rounded(.up))
      refusal = """
        the verifier that launched \(left.process) doesn't respond at \(left.address); its launch expires in \(rest) s, and \
        until then this process refuses the provider and the real backend
        """
    }
  }

  private mutating func refuse(_ launches: [LaunchFiles.LeftLaunch]) {
    let names = launches.map { "\($0.address) (launched \($0.process))" }.sorted().joined(separator: ", ")
    refusal = """
      \(launches.count) verifiers respond, and \(ProcessInfo.processInfo.processName) can't tell which of them its test has \
      started: \(names); let tests that run at the same time use different launch folders
      """
  }

  package static var checksAssertions: Bool { _isDebugAssertConfiguration() }
}

extension LaunchFiles.LeftLaunch {
  fileprivate var address: String { launch.endpoint?.url.absoluteString ?? "" }
}
