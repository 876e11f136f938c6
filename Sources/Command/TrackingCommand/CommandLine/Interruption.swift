import Foundation

/// The end of a command that runs until it is stopped: by Ctrl-C, by SIGTERM, or because its terminal or its reader is gone.
///
/// It then ends in order, and a second signal ends the process at once. A process that runs a command ends with it.
enum Interruption {
  // A signal handler may do little more than write to a pipe. A dispatch source would miss a signal that arrives before its registration, which
  // happens later and on another thread.
  nonisolated(unsafe) private static var pipe: (read: Int32, write: Int32) = (-1, -1)

  /// Whether a command runs that ends in order.
  static var hasBegun: Bool { pipe.write >= 0 }

  static func begin() {
    var ends: [Int32] = [-1, -1]
    guard Foundation.pipe(&ends) == 0 else { return }
    pipe = (ends[0], ends[1])
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    // Without a reader, a write fails with EPIPE, and the recording is still saved.
    Foundation.signal(SIGPIPE, SIG_IGN)
    for number in ours {
      let earlier = Foundation.signal(number) { number in
        // Another thread may take the second signal before the first has set its handlers.
        guard Interruption.signal == 0 else { return endAtOnce(number) }
        Interruption.signal = number
        // Not in a loop over an array: the signal may have interrupted `malloc`, so memory can't be allocated here.
        Foundation.signal(SIGINT, endAtOnce)
        Foundation.signal(SIGTERM, endAtOnce)
        Foundation.signal(SIGHUP, endAtOnce)
        Interruption.request()
      }
      // `nohup` ignores SIGHUP so that a closed terminal ends nothing.
      if number == SIGHUP, unsafeBitCast(earlier, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) {
        Foundation.signal(number, SIG_IGN)
      }
    }
    // A parent may have started this process from a thread with blocked signals, which a child inherits.
    var signals = sigset_t()
    sigemptyset(&signals)
    for number in ours { sigaddset(&signals, number) }
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  }

  private static let ours = [SIGINT, SIGTERM, SIGHUP]

  /// The first signal; 0 before.
  nonisolated(unsafe) private(set) static var signal: Int32 = 0

  /// The running command, which the second signal ends by SIGKILL; 0 without a command, -1 until its process ID is known.
  nonisolated(unsafe) static var command: pid_t = 0

  /// A second signal that came while a command was starting; 0 if none did.
  nonisolated(unsafe) fileprivate static var postponed: Int32 = 0

  /// Ends the command and this process if a second signal came while the command was starting.
  static func endIfPostponed() {
    if postponed != 0 { endAtOnce(postponed) }
  }

  /// Ends this process as Ctrl-C does.
  static func request() {
    var byte: UInt8 = 1
    _ = Foundation.write(pipe.write, &byte, 1)
  }

  /// Waits until the command is to end; returns `false` after a time.
  static func comes(within time: Duration) -> Bool {
    var entry = pollfd(fd: pipe.read, events: Int16(POLLIN), revents: 0)
    return poll(&entry, 1, Int32(time / .milliseconds(1))) > 0
  }

  /// Waits until a descriptor accepts bytes; returns `false` if the command is to end before.
  static func allowsWriting(to descriptor: Int32) -> Bool {
    var entries = [
      pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0),
      pollfd(fd: pipe.read, events: Int16(POLLIN), revents: 0),
    ]
    while poll(&entries, 2, -1) < 0, errno == EINTR {}
    return entries[0].revents != 0 || entries[1].revents == 0
  }
}

/// Handles the second signal: ends the command, and then this process as the signal does by default.
private func endAtOnce(_ number: Int32) {
  let command = Interruption.command
  // The command may run already, and would be left behind.
  guard command >= 0 else {
    Interruption.postponed = number
    return
  }
  if command > 0 { kill(command, SIGKILL) }
  signal(number, SIG_DFL)
  raise(number)
}
