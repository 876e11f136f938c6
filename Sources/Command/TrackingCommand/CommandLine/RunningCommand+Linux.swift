#if os(Linux)
  import Foundation

  extension RunningCommand {
    /// Starts a process, and returns 0 or the `errno`.
    ///
    /// This process's descriptors are closed in others.
    static func spawn(
      _ process: inout pid_t, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>,
      _ environment: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
    ) -> Int32 {
      var attributes = posix_spawnattr_t()
      posix_spawnattr_init(&attributes)
      defer { posix_spawnattr_destroy(&attributes) }
      var (defaults, mask) = (defaultSignals, noSignals)
      posix_spawnattr_setsigdefault(&attributes, &defaults)
      posix_spawnattr_setsigmask(&attributes, &mask)
      posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
      return arguments[0].map { posix_spawnp(&process, $0, nil, &attributes, arguments, environment) } ?? ENOENT
    }

    static func process(of info: siginfo_t) -> pid_t { info._sifields._sigchld.si_pid }
  }
#endif
