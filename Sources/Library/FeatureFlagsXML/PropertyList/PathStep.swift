/// One step down a property list: into a dictionary or into an array.
///
/// ```swift
/// let list = try PropertyListDocument(root: ["zones": ["north", "south"]])
/// let second = list.location(of: [.key("zones"), .index(1)])
/// ```
public enum PathStep: Hashable, Sendable {
    /// The value of a dictionary's key.
    case key(String)
    /// The element of an array, from 0.
    case index(Int)
}
