import Foundation
import TrackingModel

class StubURLProtocol: URLProtocol {
  private var loading: StubLoading?

  override static func canInit(with request: URLRequest) -> Bool {
    NumberedProtocols.stubs(of: self)?.mayRespond(to: request) ?? false
  }

  override static func canonicalRequest(for request: URLRequest) -> URLRequest { request }

  override func startLoading() {
    if let loading { return loading.beganAgain() }
    guard let stubs = NumberedProtocols.stubs(of: type(of: self)) else { return }
    loading = StubLoading(self)
    if request.opensWebSocket {
      loading?.refuse("\(request.url?.absoluteString ?? "A request") opens a web socket, which stubs don't support")
    } else if let reason = unsupportedTask {
      loading?.refuse(reason)
    } else {
      loading?.start(request, from: stubs, unforwardable: unforwardableTask)
    }
  }

  override func stopLoading() {
    loading?.stop()
    loading = nil
  }
}

/// A class of protocols for each session.
///
/// A session creates its protocols from a class and doesn't tell them its identity, so each session gets its own class. Generic arguments that
/// spell a number in binary digits make any number of classes. A header field of the configuration can't identify the session: on Apple's
/// platforms, it is added after a protocol was tried.
enum NumberedProtocols {
  private final class NumberedProtocol<Digits>: StubURLProtocol {}
  private enum One {}
  private enum Then0<Digits> {}
  private enum Then1<Digits> {}

  /// A class whose instances respond from these stubs; both live as long as the process.
  static func newClass(for stubs: SessionStubs) -> AnyClass {
    registry.add(stubs) { protocolClass(numbered: $0, One.self) }
  }

  static func stubs(of protocolClass: AnyClass) -> SessionStubs? {
    registry.stubs(of: protocolClass)
  }

  static func setShared(_ stubs: SessionStubs?) {
    // A single class: a session keeps the classes that were registered when it was created.
    if registry.setShared(stubs, NumberedProtocol<Never>.self) {
      _ = URLProtocol.registerClass(NumberedProtocol<Never>.self)
    }
  }

  /// `number` is the rest, whose last binary digit comes next.
  private static func protocolClass<Digits>(numbered number: Int, _ digits: Digits.Type) -> AnyClass {
    guard number > 0 else { return NumberedProtocol<Digits>.self }
    return number.isMultiple(of: 2)
      ? protocolClass(numbered: number / 2, Then0<Digits>.self)
      : protocolClass(numbered: number / 2, Then1<Digits>.self)
  }

  private static let registry = Registry()

  private final class Registry: Sendable {
    private struct State: Sendable {
      var stubs: [ObjectIdentifier: SessionStubs] = [:]
      var count = 0
      var isRegistered = false
    }

    private let state = Locked(State())

    func add(_ new: SessionStubs, _ protocolClass: (Int) -> AnyClass) -> AnyClass {
      let number = state.withLock { state in
        state.count += 1
        return state.count
      }
      let newClass: AnyClass = protocolClass(number)
      let id = ObjectIdentifier(newClass)
      state.withLock { $0.stubs[id] = new }
      return newClass
    }

    func stubs(of protocolClass: AnyClass) -> SessionStubs? {
      let id = ObjectIdentifier(protocolClass)
      return state.withLock { $0.stubs[id] }
    }

    /// Returns whether the class must be registered now.
    func setShared(_ new: SessionStubs?, _ protocolClass: AnyClass) -> Bool {
      let id = ObjectIdentifier(protocolClass)
      return state.withLock { state in
        state.stubs[id] = new
        defer { state.isRegistered = state.isRegistered || new != nil }
        return new != nil && !state.isRegistered
      }
    }
  }
}
