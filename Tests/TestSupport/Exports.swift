// The imports of nearly every test.

@_exported import Foundation
@_exported import StubModel
@_exported import TrackingModel
@_exported import XCTest
