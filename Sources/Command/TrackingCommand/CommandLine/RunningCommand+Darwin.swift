#if canImport(Darwin)
  import Foundation

  extension RunningCommand {
    /// Starts a process with the standard streams and no other descriptor, and returns 0 or the `errno`.
    static func spawn(
      _ process: inout pid_t, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>,
      _ environment: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
    ) -> Int32 {
      #if os(macOS)
        var (attributes, actions): (posix_spawnattr_t?, posix_spawn_file_actions_t?) = (nil, nil)
        posix_spawnattr_init(&attributes)
        posix_spawn_file_actions_init(&actions)
        defer {
          posix_spawnattr_destroy(&attributes)
          posix_spawn_file_actions_destroy(&actions)
        }
        var (defaults, mask) = (defaultSignals, noSignals)
        posix_spawnattr_setsigdefault(&attributes, &defaults)
        posix_spawnattr_setsigmask(&attributes, &mask)
        posix_spawnattr_setflags(
          &attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_CLOEXEC_DEFAULT))
        for descriptor in STDIN_FILENO...STDERR_FILENO {
          posix_spawn_file_actions_addinherit_np(&actions, descriptor)
        }
        return arguments[0].map { posix_spawnp(&process, $0, &actions, &attributes, arguments, environment) } ?? ENOENT
      #else
        // Prohibited on watchOS and tvOS, where the command is only compiled.
        return ENOSYS
      #endif
    }

    static func process(of info: siginfo_t) -> pid_t { info.si_pid }
  }
#endif
