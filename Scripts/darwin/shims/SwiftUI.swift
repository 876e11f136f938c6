// Declarations as Apple documents them, without bodies and documentation:
// swift-format-ignore-file
// The part of SwiftUI that Samples/StorefrontApp uses, written from Apple's documentation. It shows that the views use the
// app's logic with the right types and on the right actor; it shows nothing about SwiftUI itself.
@_exported import Foundation
@_exported import Observation

@MainActor @preconcurrency public protocol View {
  associatedtype Body: View
  @ViewBuilder var body: Body { get }
}
extension Never: View { public var body: Never { fatalError() } }
public protocol PrimitiveView: View where Body == Never {}
extension PrimitiveView { public var body: Never { fatalError() } }

@resultBuilder public enum ViewBuilder {
  public static func buildBlock<each Content: View>(_ content: repeat each Content) -> TupleView<(repeat each Content)> {
    fatalError()
  }
  public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
  public static func buildBlock() -> EmptyView { fatalError() }
  public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }
  public static func buildEither<A: View, B: View>(first: A) -> Either<A, B> { fatalError() }
  public static func buildEither<A: View, B: View>(second: B) -> Either<A, B> { fatalError() }
}
public struct TupleView<T>: PrimitiveView {}
public struct EmptyView: PrimitiveView { public init() {} }
public struct Either<A: View, B: View>: PrimitiveView {}
extension Optional: View where Wrapped: View { public var body: Never { fatalError() } }

@MainActor @preconcurrency public protocol Scene {}
@MainActor @preconcurrency public protocol App {
  associatedtype SceneBody: Scene
  @SceneBuilder var body: SceneBody { get }
  init()
}
extension App { public static func main() {} }
@resultBuilder public enum SceneBuilder {
  public static func buildBlock<Content: Scene>(_ content: Content) -> Content { content }
}
public struct WindowGroup<Content: View>: Scene { public init(@ViewBuilder content: () -> Content) {} }

@propertyWrapper public struct State<Value> {
  public init(wrappedValue: Value) {}
  public var wrappedValue: Value { get { fatalError() } nonmutating set {} }
  public var projectedValue: Binding<Value> { fatalError() }
}
@propertyWrapper public struct Binding<Value> {
  public init(projectedValue: Binding<Value>) {}
  public var wrappedValue: Value { get { fatalError() } nonmutating set {} }
}

@available(macOS 14.0, iOS 17.0, tvOS 17.0, *)
@dynamicMemberLookup @propertyWrapper public struct Bindable<Value: AnyObject> {
  public init(wrappedValue: Value) {}
  public var wrappedValue: Value { get { fatalError() } set {} }
  public var projectedValue: Bindable<Value> { self }
  public subscript<Subject>(dynamicMember path: ReferenceWritableKeyPath<Value, Subject>) -> Binding<Subject> { fatalError() }
}

public struct LocalizedStringKey: ExpressibleByStringInterpolation { public init(stringLiteral value: String) {} }
public struct Text: PrimitiveView {
  public init(_ key: LocalizedStringKey) {}
  @_disfavoredOverload public init<S: StringProtocol>(_ content: S) {}
}
public struct Button<Label: View>: PrimitiveView {
  public init(action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Label) {}
}
extension Button where Label == Text {
  public init(_ titleKey: LocalizedStringKey, action: @escaping @MainActor () -> Void) {}
  @_disfavoredOverload public init<S: StringProtocol>(_ title: S, action: @escaping @MainActor () -> Void) {}
}
public struct TextField<Label: View>: PrimitiveView {}
extension TextField where Label == Text { public init(_ titleKey: LocalizedStringKey, text: Binding<String>) {} }
public struct List<Content: View>: PrimitiveView { public init(@ViewBuilder content: () -> Content) {} }
public struct Section<Content: View>: PrimitiveView {
  public init(_ titleKey: LocalizedStringKey, @ViewBuilder content: () -> Content) {}
}
public struct NavigationStack<Root: View>: PrimitiveView { public init(@ViewBuilder root: () -> Root) {} }
public struct ForEach<Data: RandomAccessCollection, ID: Hashable, Content: View>: PrimitiveView {
  public init(_ data: Data, id: KeyPath<Data.Element, ID>, @ViewBuilder content: @escaping (Data.Element) -> Content) {}
}
extension View {
  public func accessibilityIdentifier(_ identifier: String) -> some View { self }
  public func navigationTitle(_ title: LocalizedStringKey) -> some View { self }
  public func task(_ action: sending @escaping @isolated(any) () async -> Void) -> some View { self }
  public func onSubmit(_ action: @escaping () -> Void) -> some View { self }
}
