// swift-tools-version: 6.2

import PackageDescription

// The only place where other packages are named, for measuring beside them. `./run` builds and runs everything.
let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v13)],
  dependencies: [
    .package(name: "TrackingVerifier", path: ".."),
    .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1"),
  ],
  targets: [
    .executableTarget(
      name: "WaitLatency",
      dependencies: [
        .product(name: "TrackingVerifier", package: "TrackingVerifier"),
        .product(name: "TrackerDouble", package: "TrackingVerifier"),
      ]),
    .executableTarget(name: "EpollFloor", cSettings: [.define("_GNU_SOURCE"), .unsafeFlags(["-O2"])]),
    .executableTarget(
      name: "TrackingServerContestant",
      dependencies: [.product(name: "TrackingServer", package: "TrackingVerifier")]),
    .executableTarget(
      name: "FlyingFoxContestant", dependencies: [.product(name: "FlyingFox", package: "FlyingFox")]),
  ]
)
