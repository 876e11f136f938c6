import Foundation
import TrackingSockets

/// The server thread's loop: polls all sockets and serves those that are ready.
///
/// Nothing else touches the server's sockets. `poll` is the same on every platform, and as fast as its successors up to 64 active sockets.
struct PollLoop {
  /// Holds a connection, because an array can't hold noncopyable values.
  private final class Slot {
    var connection: Connection
    var index: Int

    init(_ connection: consuming Connection, index: Int) {
      self.connection = connection
      self.index = index
    }
  }

  /// The maximum number of connections beyond the limit that stay open until their refusal is read; with more, accepting pauses.
  private static let refusedConnections = 16
  /// The pause in accepting if the process is out of descriptors and no connection ends.
  private static let acceptPause = Duration.milliseconds(100)
  /// The maximum number of connections accepted in one turn, so that a burst of them doesn't delay the others.
  private static let acceptedInOneTurn = 64

  private let listener: Listener
  private let wakePipe: WakePipe
  private let context: ServerContext
  private let handlers: HandlerChain
  private let mailbox: Mailbox

  /// The wake-up pipe, the listening sockets, then one entry for each of `connections`.
  private var entries: [pollfd]
  private var connections: [Slot] = []
  /// The connections that wait for messages, by number.
  private var awaiting: [Int: Slot] = [:]
  private let firstConnection: Int
  private let connectionLimit: Int
  private var date = DateField()
  private var acceptsAgainAt: ContinuousClock.Instant?
  /// Whether any connection has received requests to respond to.
  private var isAnyBehind = false
  /// A lower bound of all connections' deadlines.
  private var nextDeadline: ContinuousClock.Instant?

  init(
    listener: Listener, wakePipe: WakePipe, context: ServerContext, handlers: HandlerChain, mailbox: Mailbox
  ) {
    self.listener = listener
    self.wakePipe = wakePipe
    self.context = context
    self.handlers = handlers
    self.mailbox = mailbox
    let descriptors = [wakePipe.readDescriptor] + listener.sockets.map(\.descriptor)
    entries = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    firstConnection = entries.count
    connectionLimit = max(context.configuration.limits.connections, 0)
  }

  /// Serves until stopped, then closes every descriptor: the loop owns the sockets and the pipe.
  mutating func run(until shouldStop: () -> Bool) {
    var now = ContinuousClock.now
    while !shouldStop() {
      let ready = poll(&entries, nfds_t(entries.count), timeout(from: now))
      if ready < 0, errno != EINTR {
        // Out of memory, or the limit of descriptors is lower than the number of open ones: polling again at once would spin.
        poll(nil, 0, 10)
      }
      now = ContinuousClock.now
      date.update()
      if ready > 0 || ready == 0 && isAnyBehind {
        markThoseBehind()
        let isWoken = entries[0].revents != 0
        if isWoken {
          wakePipe.drain()
          // Before receiving: bytes sent after the injection belong to a new connection.
          mailbox.takeRefusals { refuseOpenConnections() }
        }
        serveConnections(now)
        if isWoken { deliverMessages(now) }
        acceptConnections(now)
      }
      expireConnections(now)
      resumeAccepting(now)
    }
    context.workers.stop()
    for slot in connections {
      slot.connection.close()
    }
    listener.close()
    mailbox.close()
    wakePipe.close()
  }

  /// The timeout of the next poll.
  ///
  /// - Parameter now: The beginning of the previous turn; a deadline may be noticed later by that turn's duration.
  private func timeout(from now: ContinuousClock.Instant) -> Int32 {
    guard !isAnyBehind else { return 0 }
    guard let deadline = nextDeadline else {
      return acceptsAgainAt.map { PollTimeout.milliseconds(until: $0, from: now) } ?? PollTimeout.never
    }
    return PollTimeout.milliseconds(until: acceptsAgainAt.map { min($0, deadline) } ?? deadline, from: now)
  }

  private mutating func markThoseBehind() {
    guard isAnyBehind else { return }
    isAnyBehind = false
    for index in connections.indices where connections[index].connection.isBehind {
      entries[firstConnection + index].revents |= Int16(POLLIN)
    }
  }

  /// Responds to all requests before sending the first response, so that a client that waits for several responses is woken once.
  private mutating func serveConnections(_ now: ContinuousClock.Instant) {
    forEachConnection { loop, index in
      !loop.isReady(index) || loop.connections[index].connection.receive(date: loop.date, now: now)
    }
    forEachConnection { loop, index in
      guard loop.isReady(index) else { return true }
      guard loop.connections[index].connection.flush(now) else { return false }
      loop.keep(index)
      return true
    }
  }

  private func isReady(_ index: Int) -> Bool { entries[firstConnection + index].revents != 0 }

  /// Calls `body` for each connection, and closes those for which it returns `false`.
  private mutating func forEachConnection(_ body: (inout PollLoop, Int) -> Bool) {
    var index = 0
    while index < connections.count {
      if body(&self, index) { index += 1 } else { remove(index) }
    }
  }

  /// Continues the requests and responses that have messages.
  private mutating func deliverMessages(_ now: ContinuousClock.Instant) {
    for message in mailbox.takeAll() {
      // `nil` if the client has left.
      guard let slot = awaiting[message.connection] else { continue }
      slot.connection.take(message, date: date, now: now)
      if slot.connection.flush(now) { keep(slot.index) } else { remove(slot.index) }
    }
  }

  /// Ends connections that were opened before a fault at `accept` was injected.
  private mutating func refuseOpenConnections() {
    forEachConnection { loop, index in loop.connections[index].connection.endsAfterItsResponses() }
  }

  private mutating func acceptConnections(_ now: ContinuousClock.Instant) {
    for (index, socket) in listener.sockets.enumerated() where entries[1 + index].revents != 0 {
      accept(from: socket, now)
    }
  }

  private mutating func accept(from listening: Socket, _ now: ContinuousClock.Instant) {
    for _ in 0..<Self.acceptedInOneTurn {
      guard connections.count - Self.refusedConnections < connectionLimit || removeOneThatHasLeft() else {
        pauseAccepting(until: now + Self.acceptPause)
        return
      }
      do throws(SocketError) {
        guard let socket = try listening.accept() else { return }
        add(socket, now)
      } catch {
        if removeOneThatHasLeft() { continue }
        // Out of descriptors: the next connection stays in the system's queue until one of ours ends.
        pauseAccepting(until: now + Self.acceptPause)
        return
      }
    }
  }

  private mutating func add(_ socket: Socket, _ now: ContinuousClock.Instant) {
    let number = context.journal.recordConnection()
    var connection = Connection(
      socket: socket, number: number, context: context, handlers: handlers, mailbox: mailbox, now: now)
    let isOneTooMany = connections.count >= connectionLimit && !removeOneThatHasLeft()
    if !isOneTooMany, let fault = context.stubs.takeFault(at: .connection) { connection.fail(fault.effect) }
    // On loopback the first request has often arrived already.
    let isOpen =
      isOneTooMany
      ? connection.refuseAsTooMany(date: date, now: now)
      : connection.receive(date: date, now: now) && connection.flush(now)
    guard isOpen else {
      connection.close()
      return
    }
    connections.append(Slot(connection, index: connections.count))
    entries.append(pollfd(fd: socket.descriptor, events: 0, revents: 0))
    keep(connections.count - 1)
  }

  private mutating func keep(_ index: Int) {
    let slot = connections[index]
    entries[firstConnection + index].events = slot.connection.interest
    if slot.connection.isBehind { isAnyBehind = true }
    if slot.connection.awaitsMessage { awaiting[slot.connection.number] = slot }
    let deadline = slot.connection.deadline
    if nextDeadline.map({ deadline < $0 }) ?? true { nextDeadline = deadline }
  }

  /// Closes a connection; the last one takes its place.
  private mutating func remove(_ index: Int) {
    let slot = connections[index]
    slot.connection.close()
    if !awaiting.isEmpty { awaiting[slot.connection.number] = nil }
    connections.swapAt(index, connections.count - 1)
    connections[index].index = index
    connections.removeLast()
    entries.swapAt(firstConnection + index, entries.count - 1)
    entries.removeLast()
    if acceptsAgainAt != nil { acceptsAgainAt = .now }
  }

  /// Makes room by closing a connection whose client has closed its side while its response is pending, and so has probably left.
  private mutating func removeOneThatHasLeft() -> Bool {
    guard let slot = connections.first(where: { $0.connection.checkWhetherItHasLeft() }) else { return false }
    remove(slot.index)
    return true
  }

  private mutating func expireConnections(_ now: ContinuousClock.Instant) {
    guard let due = nextDeadline, due <= now else { return }
    nextDeadline = nil
    forEachConnection { loop, index in
      let slot = loop.connections[index]
      guard slot.connection.deadline > now || slot.connection.expire(date: loop.date, now: now) else { return false }
      loop.keep(index)
      return true
    }
  }

  private mutating func pauseAccepting(until time: ContinuousClock.Instant) {
    acceptsAgainAt = time
    setAccepting(false)
  }

  private mutating func resumeAccepting(_ now: ContinuousClock.Instant) {
    guard let time = acceptsAgainAt, time <= now || time <= .now else { return }
    acceptsAgainAt = nil
    setAccepting(true)
  }

  private mutating func setAccepting(_ isAccepting: Bool) {
    for index in 1..<firstConnection {
      entries[index].events = isAccepting ? Int16(POLLIN) : 0
    }
  }
}
