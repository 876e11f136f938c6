import Foundation
import StubModel
import TrackingJSON
import TrackingModel

extension JSONBody {
  /// A body that the server's own reader reads, as it does those of events: many times as fast as Foundation's decoder.
  convenience init(reading request: StubRequest, maximumDepth: Int) {
    self.init(of: request) { body in
      body.withUnsafeBytes { bytes in
        var reader = JSONReader(bytes.bindMemory(to: UInt8.self), maximumDepth: maximumDepth)
        do throws(JSONError) {
          let value = try reader.value()
          try reader.end()
          return value
        } catch {
          return nil
        }
      }
    }
  }
}
