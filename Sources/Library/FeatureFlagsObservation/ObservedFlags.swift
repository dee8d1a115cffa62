import FeatureFlags
import Observation
import Synchronization

/// An observable view of a loaded collection.
///
/// ```swift
/// let observed = ObservedFlags(flags)
/// withObservationTracking {
///     print(observed.quickCheckout, observed.delivery.fee)
/// } onChange: {
///     print("Pay in one click, or the fee, has changed.")
/// }
/// observed.$quickCheckout.value = true
/// ```
///
/// A property reads as on the loader. Observers are notified when a flag that they have read changes, whatever the
/// source, and of no other flag. With `$`, a property is the ``ObservedFlag``, to change, reset and bind the flag. A
/// group is a view of its own.
///
/// A flag is followed from its first read, until the view, its groups and the flag's handle are released. Any thread
/// may use a view. If a property has the name of a member of the view, read it through its handle:
/// `observed.$lastError.value`.
@dynamicMemberLookup
public final class ObservedFlags<Collection: FlagCollectionProtocol>: Observable, Sendable {
    /// The collection, whose properties are read unobserved.
    public let loadedCollection: Collection
    private let handles: ObservedHandles

    /// Creates a view.
    ///
    /// - Parameter loader: The loader of the collection.
    public convenience init(_ loader: FlagsLoader<Collection>) {
        self.init(loader.loadedCollection, ObservedHandles())
    }

    private init(_ collection: Collection, _ handles: ObservedHandles) {
        loadedCollection = collection
        self.handles = handles
    }

    /// The error of the last change through the view or a handle of it; `nil` if the change succeeded.
    public var lastError: (any Error)? { handles.failure.error }

    /// Forgets ``lastError``, such as when an alert that shows it is dismissed.
    public func dismissError() { handles.failure.take(nil) }

    /// The value of a flag, or a property that the collection computes from its flags.
    public subscript<Value: FlagProtocol>(dynamicMember member: KeyPath<Collection, Value>) -> Value {
        FlagReads.pass(to: handles) { loadedCollection[keyPath: member] }
    }

    /// The handle of a flag: always the same one.
    public subscript<Value: FlagProtocol>(dynamicMember member: KeyPath<Collection, Flag<Value>>) -> ObservedFlag<Value>
    {
        handles.handle(of: loadedCollection[keyPath: member])
    }

    /// A view of a group, which shares handles and ``lastError`` with this one.
    public subscript<Group: FlagCollectionProtocol>(
        dynamicMember member: KeyPath<Collection, Group>
    ) -> ObservedFlags<Group> {
        ObservedFlags<Group>(loadedCollection[keyPath: member], handles)
    }
}

private final class ObservedHandles: FlagReadObserver {
    let failure = ChangeFailure()
    private let handles = Mutex<[ObjectIdentifier: any AnyObject & Sendable]>([:])

    func handle<Value: FlagProtocol>(of flag: Flag<Value>) -> ObservedFlag<Value> {
        handles.withLock { handles in
            if let handle = handles[flag.id] as? ObservedFlag<Value> { return handle }
            let handle = ObservedFlag(flag, sharedFailure: failure)
            handles[flag.id] = handle
            return handle
        }
    }

    func willRead<Value: FlagProtocol>(_ flag: Flag<Value>) { handle(of: flag).accessValue() }
}
