import Synchronization

/// A provider that a flag asks at each read, with all that stays the same from read to read.
@usableFromInline
struct AskedProvider: Sendable {
    @usableFromInline let provider: any FlagsProvider
    @usableFromInline let name: String
    @usableFromInline let keyPath: FlagKeyPath
    /// `true` if the provider's typed values are its stored ones, which the flag decodes faster.
    @usableFromInline let isDecoded: Bool
    /// `true` if the flag remembers the last good value, because no store does.
    @usableFromInline let isRemembered: Bool
    private let diagnostics: FlagDiagnostics

    init(_ provider: any FlagsProvider, isDecoded: Bool = false, at placement: FlagPlacement) {
        self.provider = provider
        name = provider.name
        keyPath = placement.keyPath
        self.isDecoded = isDecoded
        isRemembered = provider.store == nil
        diagnostics = placement.source.diagnostics
    }

    @usableFromInline
    func clearBrokenValue() { diagnostics.clear(.brokenValue, of: keyPath, in: name) }
}

/// How a flag reads its value if some of its providers aren't steady.
@usableFromInline
final class AskedProviders<Value: FlagProtocol>: Sendable {
    @usableFromInline
    struct Order: Sendable {
        /// The providers to ask, in order of precedence.
        @usableFromInline var providers: [AskedProvider] = []
        /// The place in the list of the first provider that may be needed too; `nil` if all is known.
        @usableFromInline var next: Int? = 0
        /// The value if no provider to ask has one: that of a steady provider, or the default; `nil` for a dynamic one.
        @usableFromInline var otherwise: Value?

        init() {}

        mutating func end(with value: Value?) {
            next = nil
            otherwise = value
        }
    }

    /// The generation that the order is for; 0 for none.
    @usableFromInline let generation = Atomic<UInt64>(0)
    @usableFromInline let known = Mutex<(order: Order, generation: UInt64)?>(nil)

    init() {}

    @inlinable
    func order(at generation: UInt64) -> Order? {
        guard self.generation.load(ordering: .relaxed) == generation else { return nil }
        return known.withLock { known in
            if let known, known.generation == generation { known.order } else { nil }
        }
    }

    func store(_ order: Order, at generation: UInt64) {
        known.withLock { $0 = (order, generation) }
        self.generation.store(generation, ordering: .relaxed)
    }
}

/// The last good value of each provider that keeps none itself.
@usableFromInline
final class RememberedValues<Value: Sendable>: Sendable {
    /// A few entries, so that they are found sooner by looking at each than by a hash.
    @usableFromInline let entries = Mutex<[(provider: String, value: Value)]>([])

    init() {}

    func value(in provider: String) -> Value? {
        entries.withLock { entries in entries.first { $0.provider == provider }?.value }
    }

    /// Remembers a value, or its absence.
    @inlinable
    func store(_ value: Value?, in provider: String) {
        entries.withLock { entries in
            let index = entries.firstIndex { $0.provider == provider }
            switch (index, value) {
            case (let index?, let value?): entries[index].value = value
            case (let index?, nil): entries.remove(at: index)
            case (nil, let value?): entries.append((provider, value))
            case (nil, nil): break
            }
        }
    }
}
