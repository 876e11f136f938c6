import Dispatch
import TrackingSockets

extension TrackingServer {
  /// The handlers of a server, in the order in which they are tried.
  ///
  /// Formats of SDKs come before the server's own, and stubs of the test before the handlers that respond to every request.
  static func handlers(page: PageSlot, checks: PageSlot) -> HandlerChain {
    HandlerChain(handlers: [
      SenderCheck(),
      // After the check, which needs no body.
      ContentDecoder(),
      // After the decoder: formats read bodies.
      FormatIntake(),
      // After the formats, whose SDKs may post to the same path.
      EventEndpoint(),
      AppReports(),
      PageServing(slot: page, checks: checks),
      // After everything that reads events, so that a stub for every path hides none. Needs no body, so it may serve an unreadable request.
      StubServing(),
      // After the stubs, which precede the usual response to a startup request.
      StartupRequests(),
      // Before a backend, which must not be sent a body with the fields of another.
      UnreadBody(),
      Forwarding(),
      // Last, since it responds to every request.
      Unmatched(),
    ])
  }

  /// Binds the port and starts the thread that serves it.
  func startThread(port: UInt16) throws(SocketError) -> ServerThread {
    let listener = try Listener(port: port)
    do throws(SocketError) {
      let wakePipe = try WakePipe()
      do throws(SocketError) {
        let mailbox = Mailbox(wakePipe: wakePipe)
        let context = ServerContext(
          configuration: configuration, session: session, journal: journal, stubs: stubs, backend: backend)
        let handlers = Self.handlers(page: page, checks: checks)
        let thread = try ServerThread(address: listener.address, wakePipe: wakePipe) { shouldStop in
          var loop = PollLoop(
            listener: listener, wakePipe: wakePipe, context: context, handlers: handlers, mailbox: mailbox)
          loop.run(until: shouldStop)
        }
        stubs.setRefusal { [weak thread] in
          let haveEnded = DispatchSemaphore(value: 0)
          mailbox.refuseOpenConnections { haveEnded.signal() }
          // The server's own thread can't wait for itself.
          if thread?.isCurrent != true { haveEnded.wait() }
        }
        return thread
      } catch {
        wakePipe.close()
        throw error
      }
    } catch {
      listener.close()
      throw error
    }
  }
}
