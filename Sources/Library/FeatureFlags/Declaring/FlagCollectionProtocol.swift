/// A group of flags and of further groups: a struct whose properties are declared with ``Flag`` and ``FlagCollection``.
///
/// ```swift
/// struct BetaFlags: FlagCollectionProtocol {
///     @Flag(description: "Try the new list")
///     var newList: Bool
/// }
///
/// let beta = manager.addCollection(BetaFlags.self)
/// print(beta.newList)
/// ```
public protocol FlagCollectionProtocol: Sendable {
    /// Makes the collection with every flag at its default.
    init()
}
