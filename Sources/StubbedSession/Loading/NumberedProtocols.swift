import Foundation

/// A class of protocols for each session.
///
/// A session makes the instances of its protocols itself and tells them nothing of where they belong; all that it is given is their class. So
/// each session gets a class of its own. There are as many as there are types to fill in for `Digits`, which are made of the digits of a number.
enum NumberedProtocols {
  private final class NumberedProtocol<Digits>: StubURLProtocol {}
  private enum One {}
  private enum Then0<Digits> {}
  private enum Then1<Digits> {}

  /// A class whose instances answer from these stubs, for as long as the process lives.
  static func newClass(for stubs: SessionStubs) -> AnyClass {
    registry.add(stubs) { protocolClass(numbered: $0, One.self) }
  }

  /// The stubs of a class that was made here.
  static func stubs(of protocolClass: AnyClass) -> SessionStubs? {
    registry.stubs(of: protocolClass)
  }

  /// - Parameter number: What is left of the number, read from its last binary digit.
  private static func protocolClass<Digits>(numbered number: Int, _ digits: Digits.Type) -> AnyClass {
    guard number > 0 else { return NumberedProtocol<Digits>.self }
    return number.isMultiple(of: 2)
      ? protocolClass(numbered: number / 2, Then0<Digits>.self)
      : protocolClass(numbered: number / 2, Then1<Digits>.self)
  }

  private static let registry = Registry()

  /// The lock makes it `Sendable`.
  private final class Registry: @unchecked Sendable {
    private let lock = NSLock()
    private var stubs: [ObjectIdentifier: SessionStubs] = [:]

    func add(_ new: SessionStubs, _ protocolClass: (Int) -> AnyClass) -> AnyClass {
      lock.withLock {
        let newClass: AnyClass = protocolClass(stubs.count + 1)
        stubs[ObjectIdentifier(newClass)] = new
        return newClass
      }
    }

    func stubs(of protocolClass: AnyClass) -> SessionStubs? {
      lock.withLock { stubs[ObjectIdentifier(protocolClass)] }
    }
  }
}
