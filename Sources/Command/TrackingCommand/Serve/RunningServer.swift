import Foundation
import TrackingJSON
import TrackingModel
import TrackingSockets

/// A client of a running `tracking serve`.
struct RunningServer {
  private let url: String
  private let token: String
  private let host: String
  private let port: UInt16
  private let isJSON: Bool
  private let output: Output

  /// - Throws: ``CommandError`` if there is no URL, or if the named source has another one.
  init(_ arguments: Arguments, _ output: Output) throws(CommandError) {
    isJSON = arguments.has(Verb.json)
    self.output = output
    let (source, text) = try Self.address(arguments)
    let address = text.components(separatedBy: "#token=")
    guard address.count == 2, let url = URL(string: address[0]), let host = url.host(),
      address[0].hasSuffix(CheckService.path)
    else {
      throw CommandError(
        "\(source): \(TrackingValue.string(text)) isn't the URL of `tracking serve`, which ends with "
          + "\(CheckService.path)#token=…")
    }
    (self.url, token, self.host, port) = (address[0], address[1], host, UInt16(clamping: url.port ?? 80))
  }

  /// Returns the URL with its token, and the option or the variable that has it.
  private static func address(_ arguments: Arguments) throws(CommandError) -> (source: String, text: String) {
    if let file = arguments[Verb.env] { return ("--env \(file)", try ServedEnvironment.checks(in: file)) }
    guard let address = TestVariable.serve.value() else {
      throw CommandError(
        "name the URL that `tracking serve` prints in the variable \(TestVariable.serve.name), or its file with --env")
    }
    return (TestVariable.serve.name, address)
  }

  /// Sends a request, and returns the members of the response; throws ``CommandError`` if no server responds, or if the status isn't 200.
  func send(_ method: String, _ name: String, _ json: JSONTree) throws -> JSONTree {
    let body = json.text(.compact)
    // The variable of this process; `serve` may have been started without it.
    let scale = TimeoutScale.factor == 1 ? [] : ["\(CheckService.scaleField): \(TimeoutScale.factor)"]
    let head =
      [
        "\(method) \(CheckService.path)\(name) HTTP/1.1", "Host: \(host):\(port)", "Authorization: Bearer \(token)",
        "Content-Length: \(body.utf8.count)", "Connection: close",
      ] + scale + ["", ""]
    let response: ReceivedResponse
    do {
      // The server decides when to respond, so this is longer than the longest check.
      response = try HTTPConnection(to: SocketAddress.named(host, port: port)).exchange(
        Array((head.joined(separator: "\r\n") + body).utf8), until: .now + .seconds(10_000_000), bodyLimit: .max)
    } catch {
      throw CommandError("no server responds at \(url)\(name): \(error); does `tracking serve` still run?")
    }
    guard let value = try? JSONTree(response.body), response.status == 200 || value["error"] != nil else {
      throw CommandError("\(url)\(name) responded \(response.status), and not as `tracking serve` does")
    }
    if let error = value["error"]?.string { throw CommandError(error) }
    if isJSON { try output.text(String(decoding: response.body, as: UTF8.self) + "\n") }
    return value
  }
}
