#if canImport(Darwin)
  import Foundation

  extension URLRequest {
    private static let uploadedBodyKey = "TrackingVerifier.uploadedBody"

    /// Returns the request of an upload with a copy of its body, which stubs inside the app can see.
    ///
    /// ```swift
    /// try await session.upload(for: request.uploading(body), from: body)
    /// ```
    ///
    /// An upload task keeps its body separate from its request, and a session's protocols get only the request. The copy is a property of
    /// `URLProtocol`: it is not sent, and sessions without stubs ignore it. On Linux requests cannot carry one, and this returns the same request.
    public func uploading(_ body: Data) -> URLRequest {
      guard let copy = (self as NSURLRequest).mutableCopy() as? NSMutableURLRequest else { return self }
      URLProtocol.setProperty(body, forKey: Self.uploadedBodyKey, in: copy)
      return copy as URLRequest
    }

    /// The body that `uploading(_:)` was given; `nil` without it.
    var uploadedBody: Data? {
      let body = URLProtocol.property(forKey: Self.uploadedBodyKey, in: self) as? Data
      return body.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The request without what `uploading(_:)` was given, which must not follow a redirect.
    var withoutUploadedBody: URLRequest { uploadedBody == nil ? self : uploading(Data()) }
  }
#endif
