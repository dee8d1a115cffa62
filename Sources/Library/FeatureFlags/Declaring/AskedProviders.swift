import Synchronization

/// A provider that a flag asks at each read, with all that stays the same from read to read.
@usableFromInline
final class AskedProvider<Value: FlagProtocol>: Sendable {
    @usableFromInline let provider: any FlagsProvider
    @usableFromInline let keyPath: FlagKeyPath
    /// `true` if the provider's typed values are its stored ones, which the flag decodes faster.
    @usableFromInline let isDecoded: Bool
    @usableFromInline let last: LastValue<Value>
    private let name: String
    private let diagnostics: FlagDiagnostics

    init(
        _ provider: any FlagsProvider, isDecoded: Bool = false, at placement: FlagPlacement,
        after last: LastValues<Value>
    ) {
        self.provider = provider
        name = provider.name
        keyPath = placement.keyPath
        self.isDecoded = isDecoded
        self.last = last[name]
        diagnostics = placement.source.diagnostics
    }

    /// Returns the provider's value, and remembers it.
    @inlinable
    func value() throws(FlagValueError) -> Value? {
        guard isDecoded else {
            let value = try provider.value(of: Value.self, at: keyPath)
            last.store(value)
            clearBrokenValue()
            return value
        }
        guard let stored = try provider.storedValue(at: keyPath) else {
            last.store(nil)
            clearBrokenValue()
            return nil
        }
        if let value = last.value(of: stored) {
            clearBrokenValue()
            return value
        }
        let value = try Value.decode(stored)
        last.store(value, of: stored)
        clearBrokenValue()
        return value
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
        @usableFromInline var providers: [AskedProvider<Value>] = []
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

    /// An order that doesn't change, so that a read retains one object.
    @usableFromInline
    final class KnownOrder: Sendable {
        @usableFromInline let order: Order
        @usableFromInline let generation: UInt64

        init(_ order: Order, at generation: UInt64) {
            self.order = order
            self.generation = generation
        }
    }

    /// The generation that the order is for; 0 for none.
    @usableFromInline let generation = Atomic<UInt64>(0)
    @usableFromInline let known = Mutex<KnownOrder?>(nil)

    init() {}

    @inlinable
    func order(at generation: UInt64) -> KnownOrder? {
        guard self.generation.load(ordering: .relaxed) == generation else { return nil }
        let known = known.withLock { $0 }
        return known?.generation == generation ? known : nil
    }

    func store(_ order: Order, at generation: UInt64) {
        known.withLock { $0 = KnownOrder(order, at: generation) }
        self.generation.store(generation, ordering: .relaxed)
    }
}

/// The last good value of one provider, or its absence.
@usableFromInline
final class LastValue<Value: Sendable>: Sendable {
    @usableFromInline
    struct Held: Sendable {
        /// The form that the value was decoded from; `nil` if it came otherwise.
        @usableFromInline let stored: FlagValue?
        @usableFromInline let value: Value

        @inlinable
        init(stored: FlagValue?, value: Value) {
            self.stored = stored
            self.value = value
        }
    }

    @usableFromInline let held = Mutex<Held?>(nil)

    init() {}

    var value: Value? { held.withLock { $0?.value } }

    /// Returns the value if it was decoded from a stored form, which would be decoded to it again.
    @inlinable
    func value(of stored: FlagValue) -> Value? { held.withLock { $0?.stored == stored ? $0?.value : nil } }

    /// Remembers a value, or its absence.
    @inlinable
    func store(_ value: Value?, of stored: FlagValue? = nil) {
        held.withLock { $0 = value.map { Held(stored: stored, value: $0) } }
    }
}

/// The last good values of a flag, by provider.
@usableFromInline
final class LastValues<Value: Sendable>: Sendable {
    private let values = Mutex<[String: LastValue<Value>]>([:])

    init() {}

    subscript(provider: String) -> LastValue<Value> {
        values.withLock { values in
            if let last = values[provider] { return last }
            let last = LastValue<Value>()
            values[provider] = last
            return last
        }
    }
}
