import Foundation

/// The folder through which the processes of an app share the launch of a test: the app, its extensions, and an app that the system launches again.
///
/// A launch environment belongs to the process that the test launches. With a folder, that process leaves its launch there, and the others take it:
///
/// ```swift
/// let tracker: any TrackerProtocol = TrackerDouble(launchFolder: .appGroup("group.com.example.shop")) ?? ProviderTracker()
/// ```
///
/// Only debug builds write to the folder and read it. What is left there is the verifier's address, the session's token and the stubs of the launch.
/// It counts until it expires, and only as long as the verifier accepts the token: after the test it is ignored. If the verifiers of two tests
/// respond, a process can't know its own: it uses neither verifier nor provider, and both tests fail with the reason.
public struct LaunchFolder: Hashable, Sendable {
  /// The place of the folder.
  package enum Place: Hashable, Sendable {
    case appGroup(String)
    case url(URL)
  }

  package let place: Place
  package let refusesWithoutVerifier: Bool
  package let lifetime: TimeInterval

  /// The container of an app group, of which the app and its extensions are members by the entitlement `com.apple.security.application-groups`.
  ///
  /// Apple's platforms only. Without the entitlement the log says so, and the process behaves as without a folder.
  ///
  /// - Parameters:
  ///   - identifier: The group's identifier, such as `group.com.example.shop`.
  ///   - refusesWithoutVerifier: Whether a process uses neither the provider nor the real backend until a launch expires whose verifier doesn't respond,
  ///     because its test has ended or is stopped in a debugger. A double fails its events then, and a stubbed session its requests, each with the
  ///     reason. By default such a launch is ignored, as without a test.
  ///   - lifetime: The seconds after which a launch that this process leaves expires; at most a day.
  public static func appGroup(
    _ identifier: String, refusesWithoutVerifier: Bool = false, lifetime: TimeInterval = 3_600
  ) -> LaunchFolder {
    LaunchFolder(place: .appGroup(identifier), refusesWithoutVerifier: refusesWithoutVerifier, lifetime: lifetime)
  }

  /// Any folder that the processes can write to; it is made if it doesn't exist.
  ///
  /// - Parameters:
  ///   - url: The folder's file URL.
  ///   - refusesWithoutVerifier: Whether a process uses neither the provider nor the real backend until a launch expires whose verifier doesn't respond,
  ///     because its test has ended or is stopped in a debugger. A double fails its events then, and a stubbed session its requests, each with the
  ///     reason. By default such a launch is ignored, as without a test.
  ///   - lifetime: The seconds after which a launch that this process leaves expires; at most a day.
  public static func url(
    _ url: URL, refusesWithoutVerifier: Bool = false, lifetime: TimeInterval = 3_600
  ) -> LaunchFolder {
    LaunchFolder(place: .url(url), refusesWithoutVerifier: refusesWithoutVerifier, lifetime: lifetime)
  }
}
