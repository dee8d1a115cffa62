// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Stand-ins for the declarations of Apple's SwiftUI that the library and its documentation use; nothing of it ever runs.

import Foundation
import Observation

@MainActor @preconcurrency public protocol View {
    associatedtype Body: View
    @ViewBuilder var body: Body { get }
}

extension Never: View, Scene {
    public typealias Body = Never

    public var body: Never { return fatalError() }
}

public protocol StandIn: View where Body == Never {}

extension StandIn { public var body: Never { return fatalError() } }

public struct AnyStandIn: StandIn {}

extension Optional: StandIn, View where Wrapped: View { public typealias Body = Never }

@resultBuilder public enum ViewBuilder {
    public static func buildBlock<each Content: View>(_ content: repeat each Content) -> AnyStandIn { fatalError() }

    public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }
}

@MainActor @preconcurrency public protocol Scene {
    associatedtype Body: Scene
    var body: Body { get }
}

@MainActor @preconcurrency public protocol App {
    associatedtype Body: Scene
    var body: Body { get }

    init()
}

extension App { public static func main() {} }

public struct WindowGroup: Scene {
    public init(@ViewBuilder content: () -> some View) {}

    public var body: Never { fatalError() }
}

@propertyWrapper public struct State<Value> {
    public init(wrappedValue value: Value) { wrappedValue = value }

    public var wrappedValue: Value
}

@propertyWrapper public struct Environment<Value> {
    public init(_ objectType: Value.Type) where Value: AnyObject & Observable {}

    public var wrappedValue: Value { fatalError() }
}

@propertyWrapper @dynamicMemberLookup public struct Binding<Value> {
    @preconcurrency public init(
        get: @escaping @isolated(any) @Sendable () -> Value, set: @escaping @isolated(any) @Sendable (Value) -> Void
    ) {}

    public var wrappedValue: Value {
        get { fatalError() }
        nonmutating set {}
    }

    public subscript<Member>(dynamicMember path: WritableKeyPath<Value, Member>) -> Binding<Member> { fatalError() }
}

public struct Text: StandIn {
    public init(_ content: some StringProtocol) {}

    public init<Format: FormatStyle>(_ input: Format.FormatInput, format: Format) where Format.FormatOutput == String {}
}

public struct Form: StandIn { public init(@ViewBuilder content: () -> some View) {} }

public struct Toggle: StandIn {
    public init(_ title: some StringProtocol, isOn: Binding<Bool>) {}

    public init(isOn: Binding<Bool>, @ViewBuilder label: () -> some View) {}
}

public struct Stepper: StandIn { public init(_ title: some StringProtocol, value: Binding<some Strideable>) {} }

public struct Button: StandIn { public init(_ title: some StringProtocol, action: @escaping @MainActor () -> Void) {} }

public struct EmptyContent: StandIn {}

@MainActor @preconcurrency public protocol ViewModifier {
    typealias Content = EmptyContent
    associatedtype Body: View
    @ViewBuilder func body(content: Content) -> Body
}

extension View {
    public func environment(_ object: (some AnyObject & Observable)?) -> some View { self }

    public func alert(
        _ title: some StringProtocol, isPresented: Binding<Bool>, @ViewBuilder actions: () -> some View,
        @ViewBuilder message: () -> some View
    ) -> some View { self }

    public func swipeActions(@ViewBuilder content: () -> some View) -> some View { self }

    public func disabled(_ disabled: Bool) -> some View { self }
}
