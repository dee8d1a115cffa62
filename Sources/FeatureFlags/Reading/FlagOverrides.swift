import Synchronization

/// Values that flags have within a task alone, for tests: no provider is written, and no other task sees them.
package enum FlagOverrides {
    /// Values by the flag that they stand for.
    @TaskLocal private static var overrides: [ObjectIdentifier: FlagOverride] = [:]
    /// How many bodies run with values of their own: while none does, no read looks for one.
    private static let active = Atomic(0)

    /// Whether any body runs with values of its own.
    static var areActive: Bool { active.load(ordering: .relaxed) > 0 }

    static func value<Value: FlagProtocol>(for flag: DeclaredFlag<Value>) -> Value? {
        // An optional's `nil` must not pass for a value that was found: the two are told apart before the cast.
        guard areActive, let override = overrides[ObjectIdentifier(flag)] else { return nil }
        return override.value as? Value
    }

    /// Runs a body in which flags have other values, whatever their providers hold.
    ///
    /// - Parameters:
    ///   - overrides: What each flag is set to; these join the ones of a body around this one.
    ///   - isolation: The actor that the body runs on.
    ///   - body: What to run; tasks that it starts as its children have the values too.
    /// - Returns: What the body returns.
    /// - Throws: What the body throws.
    package static func with<Result>(
        _ overrides: [FlagOverride], isolation: isolated (any Actor)? = #isolation,
        _ body: () async throws -> Result
    ) async rethrows -> Result {
        active.add(1, ordering: .relaxed)
        defer { active.subtract(1, ordering: .relaxed) }
        return try await $overrides.withValue(joined(overrides), operation: body)
    }

    /// Runs a body that does not suspend in which flags have other values.
    ///
    /// - Parameters:
    ///   - overrides: What each flag is set to; these join the ones of a body around this one.
    ///   - body: What to run.
    /// - Returns: What the body returns.
    /// - Throws: What the body throws.
    package static func with<Result>(_ overrides: [FlagOverride], _ body: () throws -> Result) rethrows -> Result {
        active.add(1, ordering: .relaxed)
        defer { active.subtract(1, ordering: .relaxed) }
        return try $overrides.withValue(joined(overrides), operation: body)
    }

    private static func joined(_ new: [FlagOverride]) -> [ObjectIdentifier: FlagOverride] {
        new.reduce(into: overrides) { $0[ObjectIdentifier($1.flag)] = $1 }
    }
}

/// What one flag is set to within a task.
package struct FlagOverride: Sendable {
    /// Held, so that no other object takes its identifier.
    let flag: any AnyObject & Sendable
    let value: any FlagProtocol

    /// Sets a flag to a value.
    package init<Value: FlagProtocol>(_ flag: Flag<Value>, _ value: Value) {
        self.flag = flag.declared
        self.value = value
    }
}
