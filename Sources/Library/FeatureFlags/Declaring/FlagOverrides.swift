import Synchronization

/// Values of flags within one task, for tests and snapshots: providers are not written, and other tasks see nothing.
package enum FlagOverrides {
    @TaskLocal private static var overrides = Overrides()
    /// The snapshot that a property is read in; it comes before the overrides.
    @TaskLocal private static var snapshot: HeldValues?

    /// An override, and its body: a task that outlives the body still inherits the entry.
    private struct Entry: Sendable {
        let value: any FlagProtocol
        /// Retained, so that no other object gets the identifier of an overridden flag.
        let flag: (any AnyObject & Sendable)?
        let body: OverridingBody
        /// The number of entries before this one.
        let order: Int
    }

    private struct Overrides: Sendable {
        /// Entries by the flag's identity.
        var ofFlags: [ObjectIdentifier: [Entry]] = [:]
        /// Entries for the flags of all loaders.
        var ofProperties: [FlagProperty: [Entry]] = [:]
        var count = 0

        /// Returns the innermost entry for a flag whose body is running.
        func entry<Value>(for flag: DeclaredFlag<Value>) -> Entry? {
            let own = ofFlags[ObjectIdentifier(flag)]?.last(where: \.body.isRunning)
            guard !ofProperties.isEmpty, let placement = flag.placement else { return own }
            let others = placement.properties.compactMap { ofProperties[$0]?.last(where: \.body.isRunning) }
            return (others + [own].compactMap(\.self)).max { $0.order < $1.order }
        }

        mutating func add(_ override: FlagOverride, _ body: OverridingBody) {
            defer { count += 1 }
            switch override.target {
            case .flag(let flag):
                let entry = Entry(value: override.value, flag: flag, body: body, order: count)
                ofFlags[ObjectIdentifier(flag), default: []].append(entry)
            case .property(let property):
                let entry = Entry(value: override.value, flag: nil, body: body, order: count)
                ofProperties[property, default: []].append(entry)
            }
        }
    }

    static func value<Value: FlagProtocol>(for flag: DeclaredFlag<Value>) -> Value? {
        guard FlagGeneration.isOverridden else { return nil }
        if let held = snapshot?.reading(flag) {
            // A dynamic default may read other flags, which the property itself doesn't.
            return held.value.flatMap { $0 as? Value } ?? $snapshot.withValue(nil) { flag.defaultValue }
        }
        FlagReads.pass(flag)
        // Check for an entry before the cast: an optional's `nil` must not pass for an override.
        guard let entry = overrides.entry(for: flag) else { return nil }
        return entry.value as? Value
    }

    /// Runs a body in which the flags of a snapshot have its values, or their defaults.
    static func reading<Result>(_ values: HeldValues, _ body: () -> Result) -> Result {
        FlagGeneration.beginOverriding()
        defer { FlagGeneration.endOverriding() }
        return $snapshot.withValue(values, operation: body)
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

    /// Runs a synchronous body in which flags have other values.
    package static func with<Result>(_ overrides: [FlagOverride], _ body: () throws -> Result) rethrows -> Result {
        let running = OverridingBody()
        FlagGeneration.beginOverriding()
        defer {
            running.end()
            FlagGeneration.endOverriding()
        }
        return try $overrides.withValue(joined(overrides, running), operation: body)
    }

    private static func joined(_ new: [FlagOverride], _ body: OverridingBody) -> Overrides {
        new.reduce(into: overrides) { $0.add($1, body) }
    }
}

private final class OverridingBody: Sendable {
    private let hasEnded = Atomic(false)

    var isRunning: Bool { !hasEnded.load(ordering: .acquiring) }

    func end() { hasEnded.store(true, ordering: .releasing) }
}

package struct FlagOverride: Sendable {
    enum Target: Sendable {
        case flag(any AnyObject & Sendable)
        /// The flag of every loader that has the property.
        case property(FlagProperty)
    }

    let target: Target
    let value: any FlagProtocol

    package init<Value: FlagProtocol>(_ flag: Flag<Value>, _ value: Value) {
        target = .flag(flag.declared)
        self.value = value
    }

    init(_ property: FlagProperty, _ value: any FlagProtocol) {
        target = .property(property)
        self.value = value
    }
}

struct HeldValues: Sendable {
    /// A flag's value; `nil` if the snapshot holds none.
    struct Entry: Sendable {
        var value: (any FlagProtocol)?
    }

    private var entries: [ObjectIdentifier: Entry] = [:]
    private var log: ReadFlags?

    /// The entry of a flag, by its identity; `nil` if the collection lacks the flag.
    subscript(flag: ObjectIdentifier) -> Entry? {
        get { entries[flag] }
        set { entries[flag] = newValue }
    }

    fileprivate func reading<Value>(_ flag: DeclaredFlag<Value>) -> Entry? {
        guard let entry = entries[ObjectIdentifier(flag)] else { return nil }
        log?.add(flag)
        return entry
    }

    /// Returns the flags of the collection that a body reads, each once.
    func flags(readBy body: () -> Void) -> [any AnyFlag] {
        let log = ReadFlags()
        var values = self
        values.log = log
        FlagOverrides.reading(values, body)
        return log.all
    }
}

private final class ReadFlags: Sendable {
    private let flags = Mutex<[ObjectIdentifier: any AnyFlag]>([:])

    var all: [any AnyFlag] { flags.withLock { Array($0.values) } }

    func add<Value>(_ flag: DeclaredFlag<Value>) {
        flags.withLock { $0[ObjectIdentifier(flag)] = Flag(declared: flag) }
    }
}
