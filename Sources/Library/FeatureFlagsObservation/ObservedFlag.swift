import FeatureFlags
import Observation
import Synchronization

/// An observable handle of one flag; ToggleUI's `AnyMutableFeatureToggle`.
///
/// ```swift
/// let retries = ObservedFlag(flags.$paymentRetries)
/// retries.value = 5
/// print(retries.value, retries.sourceName ?? "by default")
/// ```
///
/// Its properties are always current. Observers are notified of a change through the handle before the call returns; of
/// any other, on the main actor soon after the change. An observer that then reads the property gets the new value. The
/// handle follows its flag from the first read of a property until it is released.
///
/// Any thread may use it.
public final class ObservedFlag<Value: FlagProtocol>: Observable, Sendable {
    /// The flag.
    public let flag: Flag<Value>
    private let registrar = ObservationRegistrar()
    private let failure = ChangeFailure()
    /// The failure of the collection that the handle is part of.
    private let sharedFailure: ChangeFailure?
    private let state = Mutex(State())

    private struct State {
        var following: Task<Void, Never>?
        /// The facts that observers were last notified of; `nil` until the first read.
        var announced: ObservedFacts<Value>?
        var lastReading = 0
        var announcedReading = 0
    }

    /// Creates a handle.
    ///
    /// - Parameter flag: A flag of a loader, or one registered with a manager.
    public convenience init(_ flag: Flag<Value>) { self.init(flag, sharedFailure: nil) }

    init(_ flag: Flag<Value>, sharedFailure: ChangeFailure?) {
        self.flag = flag
        self.sharedFailure = sharedFailure
    }

    deinit { following?.cancel() }

    /// The task that follows the flag; `nil` until the first read.
    package var following: Task<Void, Never>? { state.withLock { $0.following } }

    /// The flag's value.
    ///
    /// Setting it changes the first writable provider. If the change is refused, the value stays, and ``lastError`` has
    /// the reason; ``set(_:)`` throws it too. A provider with a higher precedence may hide the new value.
    public var value: Value {
        get {
            access(\.value)
            return flag.wrappedValue
        }
        // A failure is kept, not lost.
        set { _ = Result { try set(newValue) } }
    }

    /// The value when no provider holds one.
    public var defaultValue: Value {
        access(\.defaultValue)
        return flag.defaultValue
    }

    /// The name of the provider that the value comes from; `nil` for the default and for a computed value.
    public var sourceName: String? {
        access(\.sourceName)
        return flag.flagValue().source?.name
    }

    /// `true` if the value is an override, even if it equals the default: `Flag.isOverridden`.
    public var isOverridden: Bool {
        access(\.sourceName)
        return flag.isOverridden
    }

    /// The error of the last change through this handle; `nil` if the change succeeded.
    public var lastError: (any Error)? { failure.error }

    /// Stores a value in the first writable provider.
    ///
    /// - Parameter value: The new value; `nil` removes the held one.
    /// - Throws: An error if no provider is writable, or if it can't store the value. Nothing changes then.
    public func set(_ value: Value?) throws { try change { try flag.set(value) } }

    /// Removes the value from every writable provider that the flag does not exclude.
    ///
    /// - Throws: The first provider's error, after all have been tried.
    public func reset() throws { try change { try flag.resetValue() } }

    private func change(_ body: () throws -> Void) throws {
        let result = Result(catching: body)
        let error: (any Error)? = if case .failure(let error) = result { error } else { nil }
        failure.take(error)
        sharedFailure?.take(error)
        // Also after an error: a reset may have changed one provider, and failed in another.
        if following != nil { notifyChanges() }
        try result.get()
    }
}

extension ObservedFlag: Identifiable {
    /// An identity that all handles of one flag share.
    public var id: ObjectIdentifier { flag.id }
}

extension ObservedFlag {
    /// Registers the read of the value, before it is read.
    func accessValue() { access(\.value) }

    /// Registers the read of a property, and follows the flag from then on.
    private func access<Member>(_ property: KeyPath<ObservedFlag, Member>) {
        registrar.access(self, keyPath: property)
        guard state.withLock({ $0.announced == nil }) else { return }
        follow()
        // The facts that later ones are compared with.
        notifyChanges()
    }

    private func follow() {
        // Registered with the providers from here on, so that no later change is missed.
        let readings = flag.values.makeAsyncIterator()
        // Detached: values that a task overrides for itself are none of the handle's.
        let task = Task.detached { [weak self] in
            var readings = readings
            while await readings.nextReading() != nil {
                guard let self else { return }
                await MainActor.run { self.notifyChanges() }
            }
        }
        let isFirst = state.withLock { state in
            guard state.following == nil else { return false }
            state.following = task
            return true
        }
        if !isFirst { task.cancel() }
    }

    /// Notifies observers of the facts that differ from those last announced.
    private func notifyChanges() {
        let reading = state.withLock { state in
            state.lastReading += 1
            return state.lastReading
        }
        // Outside the lock: reading a flag may run code of the app.
        let new = ObservedFacts(of: flag)
        let old: ObservedFacts<Value>? = state.withLock { state in
            // What began earlier may be older, and the later reading includes it.
            guard reading > state.announcedReading else { return nil }
            defer { (state.announced, state.announcedReading) = (new, reading) }
            return state.announced
        }
        guard let old else { return }
        if !old.value.isSame(as: new.value) { registrar.withMutation(of: self, keyPath: \.value) {} }
        if !old.defaultValue.isSame(as: new.defaultValue) {
            registrar.withMutation(of: self, keyPath: \.defaultValue) {}
        }
        if old.sourceName != new.sourceName { registrar.withMutation(of: self, keyPath: \.sourceName) {} }
    }
}

private struct ObservedFacts<Value: FlagProtocol>: Sendable {
    let value: Value
    let defaultValue: Value
    let sourceName: String?

    init(of flag: Flag<Value>) {
        let (value, source) = flag.flagValue()
        defaultValue = flag.defaultValue
        self.value = value ?? defaultValue
        sourceName = source?.name
    }
}
