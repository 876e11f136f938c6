#if os(Linux)
  import Foundation

  extension URLRequest {
    /// Returns the request unchanged: on Linux it can't carry an upload task's body to stubs in the app.
    ///
    /// On Apple's platforms those stubs see the body that is passed here:
    ///
    /// ```swift
    /// try await session.upload(for: request.uploading(body), from: body)
    /// ```
    public func uploading(_ body: Data) -> URLRequest { self }

    var uploadedBody: Data? { nil }

    var withoutUploadedBody: URLRequest { self }
  }
#endif
