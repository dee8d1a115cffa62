import FeatureFlags

/// A value of a property list where it stands in the source.
struct PropertyListNode: Sendable {
    /// The most levels that may be nested, the root being the first.
    static let maximumDepth = 64
    /// The most bytes that a key may have.
    static let maximumKeySize = 4096

    let element: PropertyListElement
    /// Where the element starts in the source.
    let start: Int

    /// From the `<` of the start tag to past the `>` of the end tag.
    var range: Range<Int> { start..<(start + Int(element.size)) }

    /// Between the tags; `nil` where the element closes itself.
    var content: Range<Int>? {
        guard element.endTagSize > 0 else { return nil }
        return contentStart..<(range.upperBound - Int(element.endTagSize))
    }

    private var contentStart: Int { start + Int(element.startTagSize) }

    /// The value, made anew: as much work as there are values in it.
    var value: FlagValue { element.value }

    /// The elements of an array; `nil` for any other value.
    var items: PropertyListItems? {
        guard case .array(let children) = element.content else { return nil }
        return PropertyListItems(children: children, start: contentStart)
    }

    /// The entries of a dictionary in document order; `nil` for any other value.
    var entries: PropertyListEntries? {
        guard case .dictionary(let children) = element.content else { return nil }
        return PropertyListEntries(children: children, start: contentStart)
    }

    func entry(_ key: String) -> PropertyListEntry? {
        guard let entries, let position = entries.children.position(of: key) else { return nil }
        return entries[position]
    }

    func child(_ step: PathStep) -> PropertyListNode? {
        switch step {
        case .key(let key): return entry(key)?.node
        case .index(let index):
            guard let items, items.indices.contains(index) else { return nil }
            return items[index]
        }
    }
}

/// A key of a dictionary with its value.
struct PropertyListEntry: Sendable {
    let key: String
    /// The bytes of the `<key>` element.
    let keyRange: Range<Int>
    let node: PropertyListNode
}

/// The entries of a dictionary in document order.
struct PropertyListEntries: RandomAccessCollection, Sendable {
    let children: PropertyListChildren
    /// Where the dictionary's content starts in the source.
    fileprivate let start: Int

    var startIndex: Int { 0 }
    var endIndex: Int { children.count }

    /// Whether the keys are in order.
    var isSorted: Bool { children.isSorted }

    subscript(position: Int) -> PropertyListEntry {
        let (child, offset) = children[position]
        let key = start + offset
        return PropertyListEntry(
            key: child.key, keyRange: key..<(key + Int(child.keySize)),
            node: PropertyListNode(element: child.element, start: key + Int(child.lead)))
    }
}

/// The elements of an array.
struct PropertyListItems: RandomAccessCollection, Sendable {
    fileprivate let children: PropertyListChildren
    /// Where the array's content starts in the source.
    fileprivate let start: Int

    var startIndex: Int { 0 }
    var endIndex: Int { children.count }

    subscript(position: Int) -> PropertyListNode {
        let (child, offset) = children[position]
        return PropertyListNode(element: child.element, start: start + offset)
    }
}

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

/// An element of an array, or an entry of a dictionary.
struct PropertyListChild: Sendable {
    /// Empty in an array.
    let key: String
    let element: PropertyListElement
    /// Where it starts, counted from the start of its ``PropertyListChildren/Run``.
    private(set) var start: UInt32 = 0
    /// How many bytes the `<key>` element has; 0 in an array.
    private let keyBytes: UInt32
    private let leadBytes: UInt32

    var keySize: Int { Int(keyBytes) }

    /// How many bytes stand from the start of the key to that of the value.
    var lead: Int { Int(leadBytes) }

    /// How many bytes it has from the start of the key to the end of the value.
    var size: Int { lead + Int(element.size) }

    /// An element of an array.
    init(_ element: PropertyListElement) {
        self.init(key: "", keySize: 0, lead: 0, element)
    }

    /// An entry of a dictionary.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - keySize: How many bytes its element has.
    ///   - lead: How many bytes stand from the start of that to the start of the value.
    ///   - element: The value.
    init(key: String, keySize: Int, lead: Int, _ element: PropertyListElement) {
        self.key = key
        self.element = element
        keyBytes = UInt32(keySize)
        leadBytes = UInt32(lead)
    }

    /// The same child in another place.
    func starting(at start: Int) -> PropertyListChild {
        var child = self
        child.start = UInt32(start)
        return child
    }

    mutating func move(by distance: Int) {
        start = UInt32(Int(start) + distance)
    }

    /// The same child with another element in it.
    func holding(_ element: PropertyListElement) -> PropertyListChild {
        PropertyListChild(key: key, keySize: keySize, lead: lead, element)
    }
}
