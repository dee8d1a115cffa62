/// A group of flags and of further groups: a struct whose properties are declared with ``Flag`` and ``FlagCollection``.
public protocol FlagCollectionProtocol: Sendable {
    /// Makes the collection with every flag at its default.
    init()
}
