// swift-tools-version: 6.2

import PackageDescription

// The only place where other packages may be named, for measuring beside them.
let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v13)],
  dependencies: [
    .package(name: "TrackingVerifier", path: "..")
  ],
  targets: [
    .executableTarget(
      name: "WaitLatency",
      dependencies: [
        .product(name: "TrackingVerifier", package: "TrackingVerifier"),
        .product(name: "TrackerDouble", package: "TrackingVerifier"),
      ])
  ]
)
