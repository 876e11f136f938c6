"""Typical mistakes of code that is written on Linux. Each is compiled as one more file of a target and must be noticed."""

import contextlib
import io

from package import check_package, compile_target

# Mistakes that only a run shows aren't here: a protocol that takes a web socket's upgrade, an attachment to a test that has ended.
# The mistake, the target, the code, a part of the message that the compiler must print, and flags in place of the manifest's
# language mode, if the mistake is one in another mode only.
SEEDS = [
    ("SOCK_STREAM as on Linux", "TrackingSockets",
     "import Foundation\nlet seed = Int32(SOCK_STREAM.rawValue)", "has no member 'rawValue'"),
    ("the argument of a thread as on Linux", "TrackingServer",
     "import Foundation\nlet seed: @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? = { argument in argument! }",
     "cannot force unwrap"),
    ("the count of poll as on Linux", "TrackingSockets",
     "import Foundation\nfunc seed(_ entries: inout [pollfd]) { poll(&entries, UInt(entries.count), 0) }",
     "cannot convert value of type 'UInt'"),
    ("a request of ioctl that only Linux has", "TrackingSockets",
     "import Foundation\nfunc seed(_ count: inout Int32) { _ = ioctl(0, UInt(SIOCOUTQ), &count) }", "cannot find 'SIOCOUTQ'"),
    ("a lock that needs macOS 15", "TrackingSockets",
     "import Synchronization\nlet seed = Mutex(1)", "'Mutex' is only available in macOS 15"),
    ("an error code as a failable enum", "StubModel",
     "import Foundation\nfunc seed() -> URLError.Code? { if let code = URLError.Code(rawValue: -1) { code } else { nil } }",
     "must have Optional type"),
    ("FoundationNetworking", "StubbedSession", "import FoundationNetworking", "no such module 'FoundationNetworking'"),
    ("XCTest's wait with Linux's parameters", "TrackingVerifier",
     "import XCTest\nfunc seed(_ waiter: XCTWaiter) { _ = waiter.wait(for: [], timeout: 1, file: #filePath, line: 1) }",
     "extra argument"),
    ("a shared mutable pointer", "TrackingServer",
     "import Foundation\nenum Seed { static let none: pthread_t? = nil }", "is not concurrency-safe"),
    ("a test case that crosses to the main actor", "TrackingVerifier",
     "import XCTest\nfunc seed(_ test: XCTestCase) { test.addTeardownBlock { test.continueAfterFailure = true } }",
     "risks causing data races"),
    ("a @MainActor class of tests", "UserCodeTests", "import XCTest\n@MainActor final class Seed: XCTestCase {}",
     "main actor-isolated initializer 'init(invocation:)'", ["-swift-version", "6", "-default-isolation", "MainActor"]),
    ("an asynchronous wait that asks for the main thread", "TrackingVerifier",
     "import Foundation\nfunc seed() async -> Bool { Thread.isMainThread }", "unavailable from asynchronous contexts"),
    ("a count of a web socket's messages without a lock", "StubbedSession",
     "import Foundation\nfunc seed(_ task: URLSessionWebSocketTask) { var count = 0; task.receive { _ in count += 1 } }",
     "mutation of captured var 'count'"),
    ("an attachment to an activity outside of the main actor", "TrackingVerifier",
     "import XCTest\nfunc seed(_ attachment: XCTAttachment) { XCTContext.runActivity(named: \"a\") { $0.add(attachment) } }",
     "main actor-isolated"),
    ("a teardown block that is added in a teardown block", "TrackingVerifier",
     "import XCTest\nfunc seed(_ test: XCTestCase) { test.addTeardownBlock { test.addTeardownBlock {} } }",
     "risks causing data races"),
]


def check_seeds(sdk, package, products=None):
    """Adds each mistake to its target; returns how many were not noticed.

    `products` has the targets' modules, which are compiled if it isn't given.
    """
    if products is None:
        products = sdk.empty_folder("seeded")
        if check_package(sdk, package, [target for _, target, *_ in SEEDS], products):
            print("the seeds need targets without errors")
            return 1
    missed = 0
    for mistake, target, code, message, *mode in SEEDS:
        file = sdk.empty_folder("seed") / "Seed.swift"
        file.write_text(code + "\n")
        output = io.StringIO()
        with contextlib.redirect_stdout(output):
            compile_target(sdk, package, target, [products], file.parent, mode=mode[0] if mode else None, primary=file)
        said = [line.strip() for line in output.getvalue().split("\n") if "Seed.swift" in line and message in line]
        missed += not said
        print(f"{'noticed' if said else 'MISSED '} {mistake}: {said[0] if said else output.getvalue()}", flush=True)
    print(f"{len(SEEDS) - missed} of {len(SEEDS)} mistakes noticed")
    return missed
