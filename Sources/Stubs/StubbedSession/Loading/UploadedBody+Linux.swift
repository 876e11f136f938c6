#if os(Linux)
  import Foundation

  extension URLRequest {
    /// The same request: on Linux it cannot carry what an upload task uploads to stubs inside the app.
    ///
    /// On Apple's platforms those stubs see the body that is given here:
    ///
    /// ```swift
    /// try await session.upload(for: request.uploading(body), from: body)
    /// ```
    public func uploading(_ body: Data) -> URLRequest { self }

    var uploadedBody: Data? { nil }

    var withoutUploadedBody: URLRequest { self }
  }
#endif
