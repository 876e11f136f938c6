import Foundation

/// Answers the tasks of a session from its stubs.
class StubURLProtocol: URLProtocol {
  private var loading: StubLoading?

  override static func canInit(with request: URLRequest) -> Bool {
    guard let stubs = NumberedProtocols.stubs(of: self), let request = StubRequest(head: request) else { return false }
    return stubs.mayAnswer(request)
  }

  override static func canonicalRequest(for request: URLRequest) -> URLRequest { request }

  override func startLoading() {
    if let loading { return loading.beganAgain() }
    guard let stubs = NumberedProtocols.stubs(of: type(of: self)) else { return }
    loading = StubLoading(self)
    if let reason = unsupportedTask {
      loading?.refuse(reason)
    } else {
      loading?.start(request, from: stubs, unforwardable: unforwardableTask)
    }
  }

  override func stopLoading() {
    loading?.stop()
    loading = nil
  }
}
