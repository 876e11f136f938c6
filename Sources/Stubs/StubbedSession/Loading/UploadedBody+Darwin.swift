#if canImport(Darwin)
  import Foundation

  extension URLRequest {
    private static let uploadedBodyKey = "TrackingVerifier.uploadedBody"

    /// Returns an upload's request with a copy of its body, so that stubs in the app can see the body.
    ///
    /// ```swift
    /// try await session.upload(for: request.uploading(body), from: body)
    /// ```
    ///
    /// An upload task keeps its body separate from its request, and a session's protocols get only the request. The copy is a property of
    /// `URLProtocol`: it isn't sent, and sessions without stubs ignore it. On Linux requests can't carry it, and this method returns the request
    /// unchanged.
    public func uploading(_ body: Data) -> URLRequest {
      guard let copy = (self as NSURLRequest).mutableCopy() as? NSMutableURLRequest else { return self }
      URLProtocol.setProperty(body, forKey: Self.uploadedBodyKey, in: copy)
      return copy as URLRequest
    }

    var uploadedBody: Data? {
      let body = URLProtocol.property(forKey: Self.uploadedBodyKey, in: self) as? Data
      return body.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Without the body passed to `uploading(_:)`, which must not follow a redirect.
    var withoutUploadedBody: URLRequest { uploadedBody == nil ? self : uploading(Data()) }
  }
#endif
