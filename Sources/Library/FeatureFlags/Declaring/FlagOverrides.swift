import Synchronization

/// Values that flags have within a task alone, for tests: no provider is written, and no other task sees them.
package enum FlagOverrides {
    /// Values by the flag that they stand for.
    @TaskLocal private static var overrides: [ObjectIdentifier: [Entry]] = [:]

    /// An override of a body that may have ended: a task that it started and that outlives it keeps the task's values.
    private struct Entry: Sendable {
        let override: FlagOverride
        let body: OverridingBody
    }

    static func value<Value: FlagProtocol>(for flag: DeclaredFlag<Value>) -> Value? {
        // An optional's `nil` must not pass for a value that was found: the two are told apart before the cast.
        guard FlagGeneration.isOverridden,
            let entry = overrides[ObjectIdentifier(flag)]?.last(where: \.body.isRunning)
        else { return nil }
        return entry.override.value as? Value
    }

    /// Runs a body in which flags have other values, whatever their providers hold.
    ///
    /// - Parameters:
    ///   - overrides: What each flag is set to; these join the ones of a body around this one.
    ///   - isolation: The actor that the body runs on.
    ///   - body: What to run; tasks that it starts have the values too, and none of them any more once it has ended.
    /// - Returns: What the body returns.
    /// - Throws: What the body throws.
    package static func with<Result>(
        _ overrides: [FlagOverride], isolation: isolated (any Actor)? = #isolation,
        _ body: () async throws -> Result
    ) async rethrows -> Result {
        let running = OverridingBody()
        FlagGeneration.beginOverriding()
        defer {
            running.end()
            FlagGeneration.endOverriding()
        }
        return try await $overrides.withValue(joined(overrides, running), operation: body)
    }

    /// Runs a body that does not suspend in which flags have other values.
    ///
    /// - Parameters:
    ///   - overrides: What each flag is set to; these join the ones of a body around this one.
    ///   - body: What to run.
    /// - Returns: What the body returns.
    /// - Throws: What the body throws.
    package static func with<Result>(_ overrides: [FlagOverride], _ body: () throws -> Result) rethrows -> Result {
        let running = OverridingBody()
        FlagGeneration.beginOverriding()
        defer {
            running.end()
            FlagGeneration.endOverriding()
        }
        return try $overrides.withValue(joined(overrides, running), operation: body)
    }

    private static func joined(_ new: [FlagOverride], _ body: OverridingBody) -> [ObjectIdentifier: [Entry]] {
        new.reduce(into: overrides) { overrides, override in
            overrides[ObjectIdentifier(override.flag), default: []].append(Entry(override: override, body: body))
        }
    }
}

/// A run of a body in which flags have other values.
private final class OverridingBody: Sendable {
    private let hasEnded = Atomic(false)

    var isRunning: Bool { !hasEnded.load(ordering: .acquiring) }

    func end() { hasEnded.store(true, ordering: .releasing) }
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
