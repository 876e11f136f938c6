// Declarations as Apple documents them, without bodies and documentation:
// swift-format-ignore-file
// The part of Foundation's overlay of its Objective-C classes that this repository uses. The value types, such as `Data`, `URL`
// and `JSONDecoder`, come from the toolchain's own FoundationEssentials.
@_exported import CGFloat
@_exported import CoreFoundation
@_exported import Darwin
@_exported import Dispatch
@_exported import Foundation
@_exported import FoundationEssentials
@_exported import ObjectiveC

// MARK: Bridging

extension _ObjectiveCBridgeable {
  public func _bridgeToObjectiveC() -> _ObjectiveCType { fatalError() }
  public static func _forceBridgeFromObjectiveC(_ source: _ObjectiveCType, result: inout Self?) {}
  public static func _conditionallyBridgeFromObjectiveC(_ source: _ObjectiveCType, result: inout Self?) -> Bool { true }
  public static func _unconditionallyBridgeFromObjectiveC(_ source: _ObjectiveCType?) -> Self { fatalError() }
}
extension String: @retroactive _ObjectiveCBridgeable { public typealias _ObjectiveCType = NSString }
extension Array: @retroactive _ObjectiveCBridgeable { public typealias _ObjectiveCType = NSArray }
extension Dictionary: @retroactive _ObjectiveCBridgeable { public typealias _ObjectiveCType = NSDictionary }
extension Set: @retroactive _ObjectiveCBridgeable { public typealias _ObjectiveCType = NSSet }
extension Int: @retroactive _ObjectiveCBridgeable { public typealias _ObjectiveCType = NSNumber }
extension Double: @retroactive _ObjectiveCBridgeable { public typealias _ObjectiveCType = NSNumber }
extension Bool: @retroactive _ObjectiveCBridgeable { public typealias _ObjectiveCType = NSNumber }
extension Data: @retroactive _ObjectiveCBridgeable { public typealias _ObjectiveCType = NSData }
extension Date: @retroactive _ObjectiveCBridgeable { public typealias _ObjectiveCType = NSDate }
extension URL: @retroactive _ObjectiveCBridgeable { public typealias _ObjectiveCType = NSURL }
extension Locale: @retroactive _ObjectiveCBridgeable { public typealias _ObjectiveCType = NSLocale }
extension TimeZone: @retroactive _ObjectiveCBridgeable { public typealias _ObjectiveCType = NSTimeZone }
extension UUID: @retroactive _ObjectiveCBridgeable { public typealias _ObjectiveCType = NSUUID }
extension URLRequest: _ObjectiveCBridgeable { public typealias _ObjectiveCType = NSURLRequest }

extension NSDecimalNumber {
  public var decimalValue: Decimal { fatalError() }
}

// MARK: Errors

extension NSError: @retroactive Error {
  @nonobjc public var _domain: String { domain }
  @nonobjc public var _code: Int { code }
}
public func _convertNSErrorToError(_ error: NSError?) -> any Error { error! }
public func _convertErrorToNSError(_ error: any Error) -> NSError { fatalError() }
extension Error {
  public var localizedDescription: String { "" }
}
public protocol CustomNSError: Error {
  static var errorDomain: String { get }
  var errorCode: Int { get }
  var errorUserInfo: [String: Any] { get }
}
extension CustomNSError {
  public static var errorDomain: String { "" }
  public var errorCode: Int { 0 }
  public var errorUserInfo: [String: Any] { [:] }
}

/// Its codes are a struct here and an enumeration on Linux: any number makes one.
public struct URLError: CustomNSError, Hashable {
  public struct Code: RawRepresentable, Hashable, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }
    public static func ~= (match: Code, error: any Error) -> Bool { false }
  }
  public init(_nsError error: NSError) {}
  public init(_ code: Code, userInfo: [String: Any] = [:]) {}
  public static var errorDomain: String { NSURLErrorDomain }
  public var code: Code { Code(rawValue: 0) }
  public var userInfo: [String: Any] { [:] }
  public var failingURL: URL? { nil }
}
extension URLError.Code {
  public static var unknown: Self { Self(rawValue: -1) }
  public static var cancelled: Self { Self(rawValue: -999) }
  public static var badURL: Self { Self(rawValue: -1000) }
  public static var timedOut: Self { Self(rawValue: -1001) }
  public static var unsupportedURL: Self { Self(rawValue: -1002) }
  public static var cannotFindHost: Self { Self(rawValue: -1003) }
  public static var cannotConnectToHost: Self { Self(rawValue: -1004) }
  public static var networkConnectionLost: Self { Self(rawValue: -1005) }
  public static var secureConnectionFailed: Self { Self(rawValue: -1200) }
  public static var serverCertificateHasBadDate: Self { Self(rawValue: -1201) }
  public static var serverCertificateHasUnknownRoot: Self { Self(rawValue: -1203) }
  public static var serverCertificateNotYetValid: Self { Self(rawValue: -1204) }
  public static var httpTooManyRedirects: Self { Self(rawValue: -1007) }
  public static var notConnectedToInternet: Self { Self(rawValue: -1009) }
  public static var badServerResponse: Self { Self(rawValue: -1011) }
  public static var zeroByteResource: Self { Self(rawValue: -1014) }
  public static var cannotParseResponse: Self { Self(rawValue: -1017) }
  public static var serverCertificateUntrusted: Self { Self(rawValue: -1202) }
}
extension URLError {
  public static var cancelled: Code { .cancelled }
  public static var badURL: Code { .badURL }
  public static var timedOut: Code { .timedOut }
  public static var unsupportedURL: Code { .unsupportedURL }
  public static var cannotFindHost: Code { .cannotFindHost }
  public static var cannotConnectToHost: Code { .cannotConnectToHost }
  public static var networkConnectionLost: Code { .networkConnectionLost }
  public static var notConnectedToInternet: Code { .notConnectedToInternet }
}

// MARK: Locks, run loops and files

extension NSLocking {
  public func withLock<Result>(_ body: () throws -> Result) rethrows -> Result { try body() }
}
extension RunLoop {
  public struct Mode: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static var `default`: Mode { Mode(rawValue: "") }
  }
  @available(*, noasync) public func run(mode: Mode, before limitDate: Date) -> Bool { false }
}
extension FileHandle {
  @available(macOS 10.15.4, iOS 13.4, tvOS 13.4, *)
  public func read(upToCount count: Int) throws -> Data? { nil }
  @discardableResult public func seekToEnd() throws -> UInt64 { 0 }
  public func truncate(atOffset offset: UInt64) throws {}
  public func seek(toOffset offset: UInt64) throws {}
}
extension FileManager {
  public func containerURL(forSecurityApplicationGroupIdentifier groupIdentifier: String) -> URL? { fatalError() }
  public func enumerator(
    at url: URL, includingPropertiesForKeys keys: [URLResourceKey]?, options mask: DirectoryEnumerationOptions = [],
    errorHandler handler: ((URL, any Error) -> Bool)? = nil
  ) -> DirectoryEnumerator? { nil }
  public func enumerator(atPath path: String) -> DirectoryEnumerator? { nil }
  public class DirectoryEnumerator: NSObject, Sequence, IteratorProtocol {
    public func next() -> Any? { nil }
  }
  public func fileExists(atPath path: String, isDirectory: UnsafeMutablePointer<ObjCBool>?) -> Bool { false }
  public func contentsOfDirectory(
    at url: URL, includingPropertiesForKeys keys: [URLResourceKey]?, options mask: DirectoryEnumerationOptions = []
  ) throws -> [URL] { [] }
}
public struct URLResourceKey: RawRepresentable, Hashable, Sendable {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
  public static var isDirectoryKey: URLResourceKey { URLResourceKey(rawValue: "") }
}
public struct URLResourceValues: @unchecked Sendable {
  public var isDirectory: Bool? { nil }
}
extension URL {
  public func resourceValues(forKeys keys: Set<URLResourceKey>) throws -> URLResourceValues { fatalError() }
}
extension FileHandle {
  public convenience init?(forWritingAtPath path: String) { nil }
  public convenience init?(forReadingAtPath path: String) { nil }
  public func write(_ data: Data) {}
  public func readToEnd() throws -> Data? { nil }
  public func write<T: DataProtocol>(contentsOf data: T) throws {}
}

public class JSONSerialization: NSObject {
  public struct ReadingOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
  }
  public class func jsonObject(with data: Data, options opt: ReadingOptions = []) throws -> Any { 0 }
  public struct WritingOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let prettyPrinted = WritingOptions(rawValue: 1)
    public static let sortedKeys = WritingOptions(rawValue: 1 << 1)
  }
  public class func data(withJSONObject obj: Any, options opt: WritingOptions = []) throws -> Data { Data() }
}
extension Data {
  public func range(of data: Data, options: SearchOptions = [], in range: Range<Index>? = nil) -> Range<Index>? { nil }
}

// MARK: Text

public struct CharacterSet: Hashable, Sendable {
  public static var whitespaces: CharacterSet { CharacterSet() }
  public static var whitespacesAndNewlines: CharacterSet { CharacterSet() }
  public static var newlines: CharacterSet { CharacterSet() }
  public static var alphanumerics: CharacterSet { CharacterSet() }
  public static var urlPathAllowed: CharacterSet { CharacterSet() }
  public static var urlQueryAllowed: CharacterSet { CharacterSet() }

  init() {}
  public init(charactersIn string: String) {}
  public func contains(_ member: Unicode.Scalar) -> Bool { false }
  public func union(_ other: CharacterSet) -> CharacterSet { other }
}
extension StringProtocol {
  public func trimmingCharacters(in set: CharacterSet) -> String { "" }
  public func replacingOccurrences<Target: StringProtocol, Replacement: StringProtocol>(
    of target: Target, with replacement: Replacement, options: String.CompareOptions = [],
    range searchRange: Range<Index>? = nil
  ) -> String { "" }
  public func replacingCharacters<Replacement: StringProtocol, Bounds: RangeExpression>(
    in range: Bounds, with replacement: Replacement
  ) -> String where Bounds.Bound == String.Index { "" }
  public func contains<T: StringProtocol>(_ other: T) -> Bool { false }
  public var precomposedStringWithCanonicalMapping: String { "" }
  public func addingPercentEncoding(withAllowedCharacters allowedCharacters: CharacterSet) -> String? { nil }
  public var removingPercentEncoding: String? { nil }
  public func caseInsensitiveCompare<T: StringProtocol>(_ other: T) -> ComparisonResult { .orderedSame }
  public var precomposedStringWithCompatibilityMapping: String { "" }
  public func range<T: StringProtocol>(
    of aString: T, options mask: String.CompareOptions = [], range searchRange: Range<Index>? = nil, locale: Locale? = nil
  ) -> Range<Index>? { nil }
  public func padding<T: StringProtocol>(toLength newLength: Int, withPad padString: T, startingAt padIndex: Int) -> String {
    ""
  }
}
extension String {
  public init(format: String, _ arguments: any CVarArg...) { self = "" }
}
extension NSRange {
  public init<R: RangeExpression, S: StringProtocol>(_ region: R, in target: S) where R.Bound == S.Index { self.init() }
}
extension NSRange {
  public init<R: RangeExpression>(_ region: R) where R.Bound: FixedWidthInteger { self.init() }
}
extension Range where Bound: BinaryInteger {
  public init?(_ range: NSRange) { return nil }
}
extension NSRange: @retroactive Equatable, @retroactive Hashable {
  public static func == (lhs: NSRange, rhs: NSRange) -> Bool { true }
  public func hash(into hasher: inout Hasher) {}
}
extension Range where Bound == String.Index {
  public init?<S: StringProtocol>(_ range: NSRange, in string: S) { return nil }
}
public let NSNotFound = Int.max

// MARK: URL loading

public struct URLRequest: Hashable, Sendable {
  public typealias CachePolicy = NSURLRequest.CachePolicy
  public init(
    url: URL, cachePolicy: CachePolicy = .useProtocolCachePolicy, timeoutInterval: TimeInterval = 60.0
  ) {}
  public var url: URL? { get { nil } set {} }
  public var cachePolicy: CachePolicy { get { .useProtocolCachePolicy } set {} }
  public var timeoutInterval: TimeInterval { get { 0 } set {} }
  public var httpMethod: String? { get { nil } set {} }
  public var allHTTPHeaderFields: [String: String]? { get { nil } set {} }
  public func value(forHTTPHeaderField field: String) -> String? { nil }
  public mutating func setValue(_ value: String?, forHTTPHeaderField field: String) {}
  public mutating func addValue(_ value: String, forHTTPHeaderField field: String) {}
  public var httpBody: Data? { get { nil } set {} }
  public var httpBodyStream: InputStream? { get { nil } set {} }
  public var httpShouldHandleCookies: Bool { get { true } set {} }
}
extension URLSession {
  public func data(
    for request: URLRequest, delegate: (any URLSessionTaskDelegate)? = nil
  ) async throws -> (Data, URLResponse) { fatalError() }
  public func data(from url: URL, delegate: (any URLSessionTaskDelegate)? = nil) async throws -> (Data, URLResponse) {
    fatalError()
  }
  public func upload(
    for request: URLRequest, from bodyData: Data, delegate: (any URLSessionTaskDelegate)? = nil
  ) async throws -> (Data, URLResponse) { fatalError() }
  public func download(
    from url: URL, delegate: (any URLSessionTaskDelegate)? = nil
  ) async throws -> (URL, URLResponse) { fatalError() }
}
extension URLSessionWebSocketTask {
  public enum Message: Sendable {
    case data(Data)
    case string(String)
  }
  public func receive() async throws -> Message { fatalError() }
  public func receive(completionHandler: @escaping @Sendable (Result<Message, any Error>) -> Void) {}
}
