import Synchronization

/// Values that flags have within one task, for tests: providers are not written, and other tasks see nothing.
package enum FlagOverrides {
    /// Entries by the flag's identity.
    @TaskLocal private static var overrides: [ObjectIdentifier: [Entry]] = [:]

    /// An override, and the body it is for: a task that outlives the body still inherits the entry.
    private struct Entry: Sendable {
        let override: FlagOverride
        let body: OverridingBody
    }

    static func value<Value: FlagProtocol>(for flag: DeclaredFlag<Value>) -> Value? {
        guard FlagGeneration.isOverridden else { return nil }
        FlagReads.pass(flag)
        // Check for an entry before the cast: an optional's `nil` must not pass for an override.
        guard let entry = overrides[ObjectIdentifier(flag)]?.last(where: \.body.isRunning) else { return nil }
        return entry.override.value as? Value
    }

    /// Runs a body in which flags have other values, whatever their providers hold.
    ///
    /// The overrides add to those of an enclosing body. Tasks that the body starts inherit them until it ends.
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

    /// Runs a synchronous body in which flags have other values, in addition to those of an enclosing body.
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

private final class OverridingBody: Sendable {
    private let hasEnded = Atomic(false)

    var isRunning: Bool { !hasEnded.load(ordering: .acquiring) }

    func end() { hasEnded.store(true, ordering: .releasing) }
}

package struct FlagOverride: Sendable {
    /// Retained, so that no other object gets its identifier.
    let flag: any AnyObject & Sendable
    let value: any FlagProtocol

    package init<Value: FlagProtocol>(_ flag: Flag<Value>, _ value: Value) {
        self.flag = flag.declared
        self.value = value
    }
}
