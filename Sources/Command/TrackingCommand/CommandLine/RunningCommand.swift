import Foundation

/// A command that `tracking` runs in the terminal's own process group, with its own standard streams.
///
/// Foundation's `Process` makes another group on Linux, which Ctrl-C and a debugger wouldn't reach.
struct RunningCommand {
  /// The reason that a command can't be run, with the status that a shell reports for it.
  struct Failure: Error, CustomStringConvertible {
    let status: Int32
    let description: String
  }

  private let process: pid_t

  /// Starts a command, which is found as a shell finds it.
  ///
  /// - Parameter variables: Environment variables in addition to this process's.
  init(_ words: [String], variables: [(String, String)]) throws(Failure) {
    var environment = ProcessInfo.processInfo.environment
    for (name, value) in variables { environment[name] = value }
    // With SIGCHLD ignored, the system would keep no status.
    signal(SIGCHLD, SIG_DFL)
    var process: pid_t = 0
    Interruption.command = -1
    let problem = Self.withStrings(words) { arguments in
      Self.withStrings(environment.map { "\($0)=\($1)" }) { Self.spawn(&process, arguments, $0) }
    }
    guard problem == 0 else {
      Interruption.command = 0
      let isMissing = problem == ENOENT
      throw Failure(
        status: isMissing ? 127 : 126,
        description: "\(words[0]) \(isMissing ? "isn't found" : "can't be run"): \(String(cString: strerror(problem)))")
    }
    self.process = process
    Interruption.command = process
  }

  /// The signals that a command must not find ignored.
  ///
  /// SIGHUP isn't one of them: `nohup` is for the command, too.
  static var defaultSignals: sigset_t {
    var signals = sigset_t()
    sigemptyset(&signals)
    for number in [SIGPIPE, SIGCHLD] { sigaddset(&signals, number) }
    return signals
  }

  static var noSignals: sigset_t {
    var signals = sigset_t()
    sigemptyset(&signals)
    return signals
  }

  private static func withStrings<Result>(
    _ texts: [String], _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Result
  ) -> Result {
    var pointers = texts.map { strdup($0) } + [nil]
    defer { for pointer in pointers { free(pointer) } }
    return pointers.withUnsafeMutableBufferPointer { buffer in
      // The last element is `nil`, so there is one.
      body(buffer.baseAddress.unsafelyUnwrapped)
    }
  }

  /// Returns the status as a shell reports it, 128 and the number for a signal; `nil` while the command runs.
  func reap() -> Int32? {
    var info = siginfo_t()
    // Looks first, because after `waitpid` the number may be another process's, which the second signal must not end.
    guard waitid(P_PID, id_t(process), &info, WEXITED | WNOHANG | WNOWAIT) != 0 || Self.process(of: info) != 0 else {
      return nil
    }
    Interruption.command = 0
    var status: Int32 = 0
    guard waitpid(process, &status, 0) == process else { return 1 }
    // wait(2): the low seven bits are the signal, the second byte is the status.
    return status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F)
  }

  func end(by signal: Int32) { kill(process, signal) }
}
