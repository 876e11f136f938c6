// swift-tools-version: 6.2

import PackageDescription

// Other packages are named here and in the package `HummingbirdContestant` alone, for measuring beside them. `./run` builds and runs everything.
let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v13)],
  dependencies: [
    .package(name: "TrackingVerifier", path: ".."),
    .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1"),
  ],
  targets: [
    // Servers, each a program.
    .executableTarget(name: "EpollFloor", cSettings: [.define("_GNU_SOURCE"), .unsafeFlags(["-O2"])]),
    .executableTarget(
      name: "TrackingServerContestant",
      dependencies: [
        .product(name: "TrackingInspector", package: "TrackingVerifier"),
        .product(name: "TrackingServer", package: "TrackingVerifier"),
        .product(name: "VendorFormats", package: "TrackingVerifier"),
      ]),
    .executableTarget(
      name: "FlyingFoxContestant", dependencies: [.product(name: "FlyingFox", package: "FlyingFox")]),

    // Programs that measure within their own process.
    .executableTarget(
      name: "WaitLatency",
      dependencies: [
        "Measuring", "UnrunTestCase",
        .product(name: "TrackingVerifier", package: "TrackingVerifier"),
        .product(name: "TrackerDouble", package: "TrackingVerifier"),
      ]),
    .executableTarget(
      name: "MatchingCost",
      dependencies: [
        "Measuring", "UnrunTestCase", .product(name: "TrackingVerifier", package: "TrackingVerifier"),
      ]),
    .executableTarget(
      name: "StubCost",
      dependencies: [
        "Measuring", "UnrunTestCase", "BlockingClient",
        .product(name: "TrackingVerifier", package: "TrackingVerifier"),
      ]),
    .executableTarget(
      name: "PlanCost",
      dependencies: [
        "Measuring", "BlockingClient",
        .product(name: "TrackingModel", package: "TrackingVerifier"),
        .product(name: "TrackingPlan", package: "TrackingVerifier"),
        .product(name: "TrackingServer", package: "TrackingVerifier"),
      ]),
    .executableTarget(
      name: "DoubleCost",
      dependencies: [
        "Measuring", "BlockingClient", "BareWakeUp", .product(name: "TrackerDouble", package: "TrackingVerifier"),
      ]),
    .executableTarget(
      name: "LifeCycle",
      dependencies: [
        "Measuring", "BareLoop",
        .product(name: "TrackingServer", package: "TrackingVerifier"),
        .product(name: "FlyingFox", package: "FlyingFox"),
      ]),

    // The code that the benchmarks share, and their floors in C.
    .target(name: "Measuring"),
    .target(name: "UnrunTestCase"),
    .target(name: "BlockingClient", cSettings: [.define("_GNU_SOURCE"), .unsafeFlags(["-O2"])]),
    .target(name: "BareWakeUp", cSettings: [.define("_GNU_SOURCE"), .unsafeFlags(["-O2"])]),
    .target(name: "BareLoop", cSettings: [.define("_GNU_SOURCE"), .unsafeFlags(["-O2"])]),
  ]
)
