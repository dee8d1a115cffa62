import FeatureFlags

/// Sets a flag to a value while a body runs, for tests; Override's helper of the same meaning.
///
/// ```swift
/// await withFlag(flags.$quickCheckout).enabled { print(flags.quickCheckout) }
/// ```
///
/// The value holds within the task that runs the body and its child tasks alone: tests that run at the same time don't see
/// it, and no provider is written. It comes before computed values and every provider.
///
/// - Parameter flag: The flag.
/// - Returns: What to set it to, and the body to run.
public func withFlag<Value: FlagProtocol>(_ flag: Flag<Value>) -> FlagsUnderTest<Value> {
    FlagsUnderTest(flags: [flag])
}

/// Sets several flags to a value while a body runs; see ``withFlag(_:)``.
///
/// - Parameter flags: The flags.
/// - Returns: What to set them to, and the body to run.
public func withFlags<Value: FlagProtocol>(_ flags: [Flag<Value>]) -> FlagsUnderTest<Value> {
    FlagsUnderTest(flags: flags)
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
    ///   - body: What to run.
    /// - Returns: What the body returns.
    /// - Throws: What the body throws.
    public func set<Result>(
        to value: Value, isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
    ) async rethrows -> Result {
        try await FlagOverrides.with(flags.map { FlagOverride($0, value) }, body)
    }

    /// Runs a body that does not suspend, in which the flags have a value.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - body: What to run.
    /// - Returns: What the body returns.
    /// - Throws: What the body throws.
    public func set<Result>(to value: Value, _ body: () throws -> Result) rethrows -> Result {
        try FlagOverrides.with(flags.map { FlagOverride($0, value) }, body)
    }
}

extension FlagsUnderTest where Value == Bool {
    /// Runs a body in which the flags are on.
    ///
    /// - Parameters:
    ///   - isolation: The actor that the body runs on.
    ///   - body: What to run.
    /// - Returns: What the body returns.
    /// - Throws: What the body throws.
    public func enabled<Result>(
        isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
    ) async rethrows -> Result {
        try await set(to: true, body)
    }

    /// Runs a body that does not suspend, in which the flags are on.
    ///
    /// - Parameter body: What to run.
    /// - Returns: What the body returns.
    /// - Throws: What the body throws.
    public func enabled<Result>(_ body: () throws -> Result) rethrows -> Result {
        try set(to: true, body)
    }

    /// Runs a body in which the flags are off.
    ///
    /// - Parameters:
    ///   - isolation: The actor that the body runs on.
    ///   - body: What to run.
    /// - Returns: What the body returns.
    /// - Throws: What the body throws.
    public func disabled<Result>(
        isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
    ) async rethrows -> Result {
        try await set(to: false, body)
    }

    /// Runs a body that does not suspend, in which the flags are off.
    ///
    /// - Parameter body: What to run.
    /// - Returns: What the body returns.
    /// - Throws: What the body throws.
    public func disabled<Result>(_ body: () throws -> Result) rethrows -> Result {
        try set(to: false, body)
    }
}
