import FeatureFlags
import Testing

/// Sets a flag to a value while a body runs, for tests; the counterpart of Override's helper.
///
/// ```swift
/// await withFlag(flags.$quickCheckout).enabled { print(flags.quickCheckout) }
/// ```
///
/// The value is valid only in the task that runs the body and its child tasks: concurrent tests don't see it, and no
/// provider is written. It precedes computed values and all providers.
///
/// - Parameter flag: The flag.
/// - Returns: The flag under test, to set with a body.
public func withFlag<Value: FlagProtocol>(_ flag: Flag<Value>) -> FlagsUnderTest<Value> {
    FlagsUnderTest(flags: [flag])
}

/// Sets several flags to a value while a body runs; see ``withFlag(_:)``.
///
/// - Parameter flags: The flags.
/// - Returns: The flags under test, to set with a body.
public func withFlags<Value: FlagProtocol>(_ flags: [Flag<Value>]) -> FlagsUnderTest<Value> {
    FlagsUnderTest(flags: flags)
}

/// Sets flags of several types while a body runs; see ``withFlag(_:)``.
///
/// ```swift
/// await withFlags(.set(flags.$quickCheckout, to: true), .set(flags.$paymentRetries, to: 0)) {
///     print(flags.quickCheckout, flags.paymentRetries)
/// }
/// ```
///
/// - Parameters:
///   - settings: The flags and their values.
///   - isolation: The actor that the body runs on.
///   - body: The body.
/// - Returns: The body's result.
/// - Throws: The body's error.
public func withFlags<Result>(
    _ settings: FlagSetting..., isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
) async rethrows -> Result {
    try await FlagOverrides.with(settings.map(\.override), body)
}

/// Sets flags of several types while a synchronous body runs; see ``withFlag(_:)``.
public func withFlags<Result>(_ settings: FlagSetting..., body: () throws -> Result) rethrows -> Result {
    try FlagOverrides.with(settings.map(\.override), body)
}

/// A flag and the value that it has in a test.
///
/// ```swift
/// withFlags(.set(flags.$quickCheckout, to: true)) { print(flags.quickCheckout) }
/// ```
public struct FlagSetting: Sendable {
    let override: FlagOverride

    /// Creates a setting of a flag.
    public static func set<Value: FlagProtocol>(_ flag: Flag<Value>, to value: Value) -> FlagSetting {
        FlagSetting(override: FlagOverride(flag, value))
    }
}

/// A trait that sets flags for a test, or for each test of a suite, made by `.flag(_:_:)`.
///
/// ```swift
/// @Test(.flag(flags.$quickCheckout, true)) func paysInOneClick() { #expect(flags.quickCheckout) }
///
/// @Test(.flag(\ShopFlags.paymentRetries, 0)) func givesUpAtOnce() {
///     #expect(FlagsLoader(ShopFlags.self, providers: []).paymentRetries == 0)
/// }
/// ```
public struct FlagTrait: TestTrait, SuiteTrait, TestScoping {
    private let override: @Sendable () throws(FlagError) -> FlagOverride
    /// `true`: the tests of a suite have the flag too.
    public var isRecursive: Bool { true }

    fileprivate init(_ override: @escaping @Sendable () throws(FlagError) -> FlagOverride) { self.override = override }

    /// Runs a test with the flag set.
    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await FlagOverrides.with([override()], function)
    }
}

extension Trait where Self == FlagTrait {
    /// Sets a flag for a test, or for each test of a suite.
    public static func flag<Value: FlagProtocol>(_ flag: Flag<Value>, _ value: Value) -> FlagTrait {
        FlagTrait { () throws(FlagError) in FlagOverride(flag, value) }
    }

    /// Sets a flag of a type of collection for a test, or for each test of a suite, whichever loader reads it.
    ///
    /// The value counts for every loader of the collection, also one that the test makes, and for each collection that
    /// has it as a group. A key path to a property that is not a flag fails the test (`FlagError.isNoFlag`).
    ///
    /// - Parameters:
    ///   - member: The flag's property: `\ShopFlags.paymentRetries`, or `\ShopFlags.delivery.fee` of a group.
    ///   - value: The value.
    /// - Returns: The trait.
    public static func flag<Collection: FlagCollectionProtocol, Value: FlagProtocol>(
        _ member: any KeyPath<Collection, Value> & Sendable, _ value: Value
    ) -> FlagTrait {
        FlagTrait { () throws(FlagError) in try FlagOverride(member, value) }
    }
}

/// Flags that have another value while a body runs.
///
/// ```swift
/// await withFlag(flags.$paymentRetries).set(to: 0) {
///     print(flags.paymentRetries)  // 0 in this task, and in the tasks that it starts
/// }
/// ```
public struct FlagsUnderTest<Value: FlagProtocol>: Sendable {
    let flags: [Flag<Value>]

    /// Runs a body in which the flags have a value.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - isolation: The actor that the body runs on.
    ///   - body: The body.
    /// - Returns: The body's result.
    /// - Throws: The body's error.
    public func set<Result>(
        to value: Value, isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
    ) async rethrows -> Result {
        try await FlagOverrides.with(flags.map { FlagOverride($0, value) }, body)
    }

    /// Runs a synchronous body in which the flags have a value.
    public func set<Result>(to value: Value, _ body: () throws -> Result) rethrows -> Result {
        try FlagOverrides.with(flags.map { FlagOverride($0, value) }, body)
    }
}

extension FlagsUnderTest where Value == Bool {
    /// Runs a body in which the flags are on.
    public func enabled<Result>(
        isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
    ) async rethrows -> Result {
        try await set(to: true, body)
    }

    /// Runs a synchronous body in which the flags are on.
    public func enabled<Result>(_ body: () throws -> Result) rethrows -> Result {
        try set(to: true, body)
    }

    /// Runs a body in which the flags are off.
    public func disabled<Result>(
        isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
    ) async rethrows -> Result {
        try await set(to: false, body)
    }

    /// Runs a synchronous body in which the flags are off.
    public func disabled<Result>(_ body: () throws -> Result) rethrows -> Result {
        try set(to: false, body)
    }
}
