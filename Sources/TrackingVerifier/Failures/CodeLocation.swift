/// The place in a test that asked for something, where its failure is shown.
public struct CodeLocation: Sendable {
  /// The file as the compiler identifies it: `CheckoutTests/CheckoutTests.swift`.
  public let fileID: StaticString
  /// The file's whole path.
  public let file: StaticString
  /// The line, from 1.
  public let line: UInt
  /// The column, from 1.
  public let column: UInt

  /// A place in a test; without arguments, the caller's.
  public init(
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    self.fileID = fileID
    self.file = file
    self.line = line
    self.column = column
  }
}
