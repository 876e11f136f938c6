import TestSupport
import TrackingSockets

@testable import TrackingCommand

/// The limits on strangers, and the choice of an interface.
final class DeviceGateTests: XCTestCase {
  private let start = ContinuousClock.now

  func testAnAddressIsAnsweredAgainAfterAMinute() {
    var gate = DeviceGate(authority: "127.0.0.2:1")
    let peer = IPv4Address(bits: 0x7F00_0003)
    for second in 0..<10 {
      XCTAssertFalse(gate.ignores(peer, now: start + .seconds(second)))
      gate.noteWrong(peer, now: start + .seconds(second))
    }
    XCTAssertTrue(gate.ignores(peer, now: start + .seconds(9)))
    XCTAssertTrue(gate.ignores(peer, now: start + .seconds(59)))
    XCTAssertFalse(gate.ignores(peer, now: start + .seconds(60)))
  }

  func testStrangersOfAMinuteAgoLeaveRoomForANewDevice() {
    var gate = DeviceGate(authority: "127.0.0.2:1")
    let device = IPv4Address(bits: 0x0A01_0000)
    for number in 0..<1_000 { gate.noteWrong(IPv4Address(bits: 0x0A00_0000 + UInt32(number)), now: start) }
    XCTAssertTrue(gate.ignores(device, now: start))
    XCTAssertFalse(gate.ignores(device, now: start + .seconds(60)))
    // Its own wrong requests are counted again.
    for _ in 0..<10 { gate.noteWrong(device, now: start + .seconds(60)) }
    XCTAssertTrue(gate.ignores(device, now: start + .seconds(60)))
  }

  func testTheInterfaceIsChosenByNameOrAddress() throws {
    let (wifi, cable, tunnel, loopback) = (
      DeviceInterface(name: "en0", address: IPv4Address(bits: 0xC0A8_0114), isShared: true),
      DeviceInterface(name: "en1", address: IPv4Address(bits: 0x0A00_0002), isShared: true),
      DeviceInterface(name: "utun3", address: IPv4Address(bits: 0x0A08_0003), isShared: false),
      DeviceInterface(name: "lo0", address: .loopback, isShared: false)
    )
    XCTAssertEqual(try DeviceInterface.chosen(nil, of: [loopback, tunnel, wifi]).host, "192.168.1.20")
    XCTAssertEqual(try DeviceInterface.chosen("utun3", of: [wifi, tunnel]).host, "10.8.0.3")
    XCTAssertEqual(try DeviceInterface.chosen("10.0.0.2", of: []).host, "10.0.0.2")
    func problem(_ interface: String?, _ interfaces: DeviceInterface...) -> String {
      do {
        return try DeviceInterface.chosen(interface, of: interfaces).host
      } catch {
        return "\(error)"
      }
    }
    XCTAssertEqual(
      problem(nil, wifi, cable),
      "this machine has several interfaces: en0 (192.168.1.20), en1 (10.0.0.2); name one with --interface")
    XCTAssertEqual(
      problem(nil, loopback),
      "this machine has no interface with an IPv4 address that a device could reach; connect it to a network")
    XCTAssertEqual(
      problem("en7", wifi), "this machine has no interface en7 with an IPv4 address; it has en0 (192.168.1.20)")
    for address in ["fe80::1%en0", "fd00::1", "::", "::1", "[2001:db8::1]"] {
      XCTAssertEqual(
        problem(address, wifi),
        "\(address) is an IPv6 address, and devices are served over IPv4 alone; this machine has en0 (192.168.1.20)")
    }
    for address in ["0.0.0.0", "255.255.255.255", "224.0.0.1"] {
      XCTAssertEqual(
        problem(address),
        "\(address) isn't the address of a network interface. Name one: the server never listens on all.")
    }
    for name in ["127.0.0.1", "lo0"] {
      XCTAssertEqual(
        problem(name, loopback),
        "\(name) is this machine's loopback, which the server listens on anyway; name an interface of a network")
    }
  }

  func testAddressesAreReadStrictly() {
    XCTAssertEqual(IPv4Address("192.168.1.20")?.description, "192.168.1.20")
    for text in ["1.2.3", "1.2.3.4.5", "01.2.3.4", "256.1.1.1", "1.2.3.", "::1", "localhost", "+1.2.3.4", ""] {
      XCTAssertNil(IPv4Address(text), text)
    }
  }
}
