"""Typical mistakes of code that is written on Linux. Each is compiled as one more file of a target, or made in the sample's project, and must be
noticed."""

import contextlib
import copy
import io
import shutil

import xcode_project
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
    ("the method of a test by its invocation", "TrackingVerifier",
     "import XCTest\nfunc seed(_ test: XCTestCase) -> Bool { test.invocation?.selector == nil }", "has no member 'selector'"),
    ("a wait that asks for the main thread in an asynchronous test", "TrackingVerifierTests",
     "import XCTest\nfinal class Seed: XCTestCase { func testSeed() async { wait(for: [], timeout: 1) } }",
     "unavailable from asynchronous contexts"),
    ("a table of stubs in a file of the test", "TrackingVerifier",
     "import Foundation\nimport StubModel\nfunc seed() throws { _ = try StubsInEnvironment.environment(for: []) { FileManager.default.temporaryDirectory } }",
     "cannot convert"),
    ("the longest variable of Linux", "StubModel",
     "import Foundation\nlet seed = MAX_ARG_STRLEN", "cannot find 'MAX_ARG_STRLEN'"),
    ("a test of the app's screens outside of the main actor", "UserCodeTests",
     "import XCTest\n@MainActor final class Shop { func open() {} }\nnonisolated final class Seed: XCTestCase { func test(_ shop: Shop) { shop.open() } }",
     "main actor-isolated instance method 'open()'", ["-swift-version", "6"]),
    ("a teardown block that is added in a teardown block", "TrackingVerifier",
     "import XCTest\nfunc seed(_ test: XCTestCase) { test.addTeardownBlock { test.addTeardownBlock {} } }",
     "risks causing data races"),
]

# Mistakes in Samples/StorefrontApp's project: the mistake, the kind of an object and a member of it that tells which, the change, a part of the message.
PROJECT_SEEDS = [
    ("hosted unit tests without their app", "XCBuildConfiguration", "TEST_HOST",
     lambda settings: settings.pop("TEST_HOST"), "TEST_HOST is not the program of an app"),
    ("hosted unit tests that can't find the app's symbols", "XCBuildConfiguration", "BUNDLE_LOADER",
     lambda settings: settings.pop("BUNDLE_LOADER"), "BUNDLE_LOADER is not TEST_HOST"),
    ("contract tests that the UI tests no longer find", "PBXFileReference", "AppleContractTests.swift",
     lambda file: file.update(path="AppleContractTests.swift"), "the file AppleContractTests.swift does not exist"),
]


def check_project_seeds():
    """Makes each mistake in the sample's project; returns how many were not noticed."""
    if not shutil.which("plutil"):
        return 0
    missed, project = 0, xcode_project.plist(xcode_project.PROJECT / "project.pbxproj")
    for mistake, kind, member, change, message in PROJECT_SEEDS:
        changed = copy.deepcopy(project)
        for item in xcode_project.of_kind(changed, kind):
            values = item.get("buildSettings", item)
            if member in values or member == item.get("name"):
                change(values)
        said = [problem for problem in xcode_project.found_problems(changed) if message in problem]
        missed += not said
        print(f"{'noticed' if said else 'MISSED '} {mistake}: {said[0] if said else ''}", flush=True)
    return missed


def check_seeds(sdk, package, products=None):
    """Adds each mistake to its target; returns how many were not noticed.

    `products` has the targets' modules, which are compiled if it isn't given.
    """
    if products is None:
        products = sdk.empty_folder("seeded")
        if check_package(sdk, package, [target for _, target, *_ in SEEDS], products):
            print("the seeds need targets without errors")
            return 1
    missed = check_project_seeds()
    for mistake, target, code, message, *mode in SEEDS:
        file = sdk.empty_folder("seed") / "Seed.swift"
        file.write_text(code + "\n")
        output = io.StringIO()
        with contextlib.redirect_stdout(output):
            compile_target(sdk, package, target, [products], file.parent, mode=mode[0] if mode else None, primary=file)
        said = [line.strip() for line in output.getvalue().split("\n") if "Seed.swift" in line and message in line]
        missed += not said
        print(f"{'noticed' if said else 'MISSED '} {mistake}: {said[0] if said else output.getvalue()}", flush=True)
    count = len(SEEDS) + len(PROJECT_SEEDS)
    print(f"{count - missed} of {count} mistakes noticed")
    return missed
