import Foundation

/// The folder in which the processes of an app share the launch of a test: the app, its extensions, and an app that the system relaunches.
///
/// Only the process that the test launches inherits the launch environment. With a folder, that process saves its launch there for the others:
///
/// ```swift
/// let tracker: any TrackerProtocol = TrackerDouble(launchFolder: .appGroup("group.com.example.shop")) ?? ProviderTracker()
/// ```
///
/// Only debug builds use the folder. It holds the verifier's address, the session's token and the launch's stubs. A saved launch counts until it
/// expires, and only while the verifier accepts the token: it is ignored after the test. If the verifiers of two tests respond, a process can't
/// know its own: it uses neither verifier nor provider, and both tests fail with the reason.
public struct LaunchFolder: Hashable, Sendable {
  package enum Place: Hashable, Sendable {
    case appGroup(String)
    case url(URL)
  }

  package let place: Place
  package let refusesWithoutVerifier: Bool
  package let lifetime: TimeInterval

  /// Returns the container of an app group, which the app and its extensions join with the entitlement `com.apple.security.application-groups`.
  ///
  /// Apple's platforms only. Without the entitlement, logs the reason, and the process behaves as without a folder.
  ///
  /// - Parameters:
  ///   - identifier: The group's identifier, such as `group.com.example.shop`.
  ///   - refusesWithoutVerifier: Whether a process uses neither the provider nor the real backend while an unexpired launch has no responding
  ///     verifier, because its test has ended or is paused in a debugger. A double's events and a stubbed session's requests then fail with the
  ///     reason. By default, such a launch is ignored.
  ///   - lifetime: The seconds after which a launch saved by this process expires; at most a day.
  public static func appGroup(
    _ identifier: String, refusesWithoutVerifier: Bool = false, lifetime: TimeInterval = 3_600
  ) -> LaunchFolder {
    LaunchFolder(place: .appGroup(identifier), refusesWithoutVerifier: refusesWithoutVerifier, lifetime: lifetime)
  }

  /// Returns a folder that all processes can write to; it is created if it doesn't exist.
  ///
  /// - Parameters:
  ///   - url: The folder's file URL.
  ///   - refusesWithoutVerifier: Whether a process uses neither the provider nor the real backend while an unexpired launch has no responding
  ///     verifier, because its test has ended or is paused in a debugger. A double's events and a stubbed session's requests then fail with the
  ///     reason. By default, such a launch is ignored.
  ///   - lifetime: The seconds after which a launch saved by this process expires; at most a day.
  public static func url(
    _ url: URL, refusesWithoutVerifier: Bool = false, lifetime: TimeInterval = 3_600
  ) -> LaunchFolder {
    LaunchFolder(place: .url(url), refusesWithoutVerifier: refusesWithoutVerifier, lifetime: lifetime)
  }
}
