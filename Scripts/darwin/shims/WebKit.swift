// Declarations as Apple documents them, without bodies and documentation:
// swift-format-ignore-file
// The part of WebKit that Samples/StorefrontApp uses, written from Apple's documentation.
@_exported import Foundation

@MainActor open class WKWebViewConfiguration: NSObject {
  public var userContentController: WKUserContentController { get { fatalError() } set {} }
}
@MainActor open class WKUserContentController: NSObject {
  public func add(_ scriptMessageHandler: any WKScriptMessageHandler, name: String) {}
}
@MainActor open class WKScriptMessage: NSObject {
  public var body: Any { fatalError() }
  public var name: String { fatalError() }
}
@MainActor public protocol WKScriptMessageHandler: NSObjectProtocol {
  func userContentController(_ userContentController: WKUserContentController, didReceive message: WKScriptMessage)
}
