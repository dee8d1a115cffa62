/// The values of a flag, the current one first: ``Flag/values``.
///
/// ```swift
/// for await isOn in flags.$quickCheckout.values { print(isOn) }
/// ```
public struct FlagValues<Value: FlagProtocol>: AsyncSequence, Sendable {
    let flag: DeclaredFlag<Value>

    /// Creates a consumer that gets every value from now on.
    ///
    /// It is registered until it is dropped or its task is cancelled.
    public func makeAsyncIterator() -> Iterator { Iterator(flag) }

    /// A consumer of a flag's values.
    ///
    /// ```swift
    /// var values = flags.$quickCheckout.values.makeAsyncIterator()
    /// let now = await values.next()
    /// ```
    public struct Iterator: AsyncIteratorProtocol {
        private var replica: FlagReplica<Value>
        private var events: AsyncStream<FlagReplica<Value>.Event>.Iterator
        private var last: Value?

        init(_ flag: DeclaredFlag<Value>) {
            let (replica, events) = FlagReplica.make(flag)
            self.replica = replica
            self.events = events.makeAsyncIterator()
        }

        /// Waits for a value that differs from the last one; `nil` once the task is cancelled.
        public mutating func next() async -> Value? { await next(isolation: #isolation) }

        /// Waits for a value that differs from the last one; `nil` once the task is cancelled.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> Value? {
            while let value = await nextReading(isolation: actor) {
                if let last, last.isSame(as: value) { continue }
                last = value
                return value
            }
            return nil
        }

        /// Waits for an event that may change the value or its source.
        ///
        /// Returns the value, perhaps the last one again; `nil` once the task is cancelled.
        package mutating func nextReading(isolation actor: isolated (any Actor)? = #isolation) async -> Value? {
            while let event = await events.next(isolation: actor) {
                if let value = replica.value(after: event) { return value }
            }
            return nil
        }
    }
}

extension Flag: AsyncSequence {
    /// Creates a consumer of ``values``: `for await isOn in flags.$quickCheckout { … }`.
    public func makeAsyncIterator() -> FlagValues<Value>.Iterator { values.makeAsyncIterator() }
}

extension Flag {
    /// The current value and then each different one, in order, including resets and edits of files by others.
    ///
    /// Each iteration is an independent consumer that misses no value. A computed value or default, and a provider
    /// without a store, are read again at each change of another source.
    public var values: FlagValues<Value> { FlagValues(flag: declared) }

    package var defaultObserverCount: Int { declared.defaultObserverCount }
}

extension FlagProtocol {
    package func isSame(as other: any FlagProtocol) -> Bool { equality(with: other) ?? false }

    /// Compares two values, or their stored forms if the type is not `Equatable`; `nil` if that is impossible.
    func equality(with other: any FlagProtocol) -> Bool? {
        guard let other = other as? Self else { return false }
        if let equatable = self as? any Equatable, let isEqual = equatable.isEqual(to: other) { return isEqual }
        guard case .success(let left) = Result(catching: { try Self.storedForm(of: self) }),
            case .success(let right) = Result(catching: { try Self.storedForm(of: other) })
        else { return nil }
        return left == right
    }
}

extension Equatable {
    /// `nil` if a value, such as `nan`, is not equal to itself.
    fileprivate func isEqual(to other: Any) -> Bool? {
        guard let other = other as? Self else { return nil }
        return self == self && other == other ? self == other : nil
    }
}
