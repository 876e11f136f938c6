import Foundation
import TrackingModel

/// The launches saved in a folder, one file for each session of a verifier.
///
/// No process holds a file open or locked: iOS terminates a suspended app that holds a lock in the container of an app group.
struct LaunchFiles {
  struct LeftLaunch: Equatable, Codable {
    /// Another format is another version of this library, whose files are left alone.
    static let format = "tracking-launch-1"

    var format = LeftLaunch.format
    let process: String
    /// Seconds since 1970.
    let left: TimeInterval
    let expires: TimeInterval
    let launch: PassedLaunch
  }

  private static let fileExtension = "tracking-launch"
  /// The most bytes of a file: a stub table in a variable has at most 64 KiB.
  private static let mostBytes = 1 << 20
  /// In seconds; makes files from a wrong clock expire, too.
  private static let longestLifetime: TimeInterval = 86_400

  private let folder: URL

  init(at place: LaunchFolder.Place) throws(LaunchFolderError) {
    switch place {
    case .url(let url): folder = url
    case .appGroup(let identifier):
      guard let container = AppGroup.container(of: identifier) else { throw .noAppGroup(identifier) }
      folder = container.appending(path: "TrackingVerifier", directoryHint: .isDirectory)
    }
  }

  /// Saves a launch, replacing an earlier one of the same session.
  func leave(
    _ launch: PassedLaunch, of session: String, process: String, now: Date, lifetime: TimeInterval
  ) throws(LaunchFolderError) {
    let seconds = now.timeIntervalSince1970
    let left = LeftLaunch(
      process: process, left: seconds, expires: seconds + min(max(lifetime, 0), Self.longestLifetime), launch: launch)
    let file = folder.appending(path: "\(Self.name(of: session)).\(Self.fileExtension)")
    do {
      // For this user only: anyone who has the token can send events to the test.
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      try JSONEncoder().encode(left).write(to: file, options: .atomic)
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path(percentEncoded: false))
    } catch {
      throw .unwritable(file.path(percentEncoded: false), FileReason.of(error))
    }
  }

  /// The launches that haven't expired, newest first; removes expired files.
  func launches(now: Date) -> [LeftLaunch] {
    let files = (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
    return files.filter { $0.pathExtension == Self.fileExtension }
      .compactMap { file in
        guard let left = launch(in: file) else { return nil }
        let rest = left.expires - now.timeIntervalSince1970
        if rest > 0, rest <= Self.longestLifetime { return left }
        try? FileManager.default.removeItem(at: file)
        return nil
      }
      .sorted { $0.left > $1.left }
  }

  /// `nil` if the file isn't a launch, or another user wrote it.
  private func launch(in file: URL) -> LeftLaunch? {
    // Neither follows a link nor waits for the writer of a pipe.
    let descriptor = open(file.path(percentEncoded: false), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    // Only a file's owner may change its mode (POSIX fchmod). To read the owner, an app needs a reason in its privacy manifest.
    guard fchmod(descriptor, 0o600) == 0, let data = try? handle.read(upToCount: Self.mostBytes + 1),
      data.count <= Self.mostBytes, let left = try? JSONDecoder().decode(LeftLaunch.self, from: data),
      left.format == LeftLaunch.format
    else { return nil }
    return left
  }

  /// A file name for a token, which may contain any characters.
  private static func name(of session: String) -> String { String(session.stableHash, radix: 36) }
}

enum LaunchFolderError: Error, Equatable {
  case noAppGroup(String)
  case unwritable(String, String)
  case noSession
}

extension LaunchFolderError: CustomStringConvertible {
  var description: String {
    switch self {
    case .noAppGroup(let identifier):
      "this process has no container of the app group \"\(identifier)\": \(AppGroup.hint)"
    case .unwritable(let file, let reason):
      "the launch could not be written to \(file) for the app's other processes: \(reason)"
    case .noSession:
      "the launch can't be shared with the app's other processes: it has no session of a verifier on this machine"
    }
  }
}
