/// Receives tracking events over HTTP/1.1 on the loopback interface.
public final class TrackingServer: Sendable {}
