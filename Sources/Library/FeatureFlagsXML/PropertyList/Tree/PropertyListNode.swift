import FeatureFlags

struct PropertyListNode: Sendable {
    static let maximumDepth = 64
    static let maximumKeySize = 4096

    let element: PropertyListElement
    let start: Int

    var range: Range<Int> { start..<(start + Int(element.size)) }

    /// Between the tags, or `nil` if the element closes itself.
    var content: Range<Int>? {
        guard element.endTagSize > 0 else { return nil }
        return contentStart..<(range.upperBound - Int(element.endTagSize))
    }

    private var contentStart: Int { start + Int(element.startTagSize) }

    var value: FlagValue { element.value }

    var scalar: FlagValue? { if case .scalar(let value) = element.content { value } else { nil } }

    var items: PropertyListItems? {
        guard case .array(let children) = element.content else { return nil }
        return PropertyListItems(children: children, start: contentStart)
    }

    var entries: PropertyListEntries? {
        guard case .dictionary(let children) = element.content else { return nil }
        return PropertyListEntries(children: children, start: contentStart)
    }

    func entry(_ key: String) -> PropertyListEntry? {
        guard let entries, let position = entries.children.position(of: key) else { return nil }
        return entries[position]
    }

    /// Returns the first value of a key that occurs more than once, and its further entries.
    func repetition(of key: String) -> (original: PropertyListNode, others: [PropertyListEntry])? {
        guard let entries, !entries.children.repetitions.isEmpty, let position = entries.children.position(of: key),
            let repetition = entries.children.repetitions[position]
        else { return nil }
        return (
            PropertyListNode(element: repetition.original, start: entries[position].node.start),
            repetition.others.map { entries.entry($0.child, at: $0.start) }
        )
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

struct PropertyListEntry: Sendable {
    let key: String
    let keyRange: Range<Int>
    let node: PropertyListNode
}

struct PropertyListEntries: RandomAccessCollection, Sendable {
    let children: PropertyListChildren
    fileprivate let start: Int

    var startIndex: Int { 0 }
    var endIndex: Int { children.count }

    var isSorted: Bool { children.isSorted }

    subscript(position: Int) -> PropertyListEntry {
        let (child, offset) = children[position]
        return entry(child, at: offset)
    }

    fileprivate func entry(_ child: PropertyListChild, at offset: Int) -> PropertyListEntry {
        let key = start + offset
        return PropertyListEntry(
            key: child.key, keyRange: key..<(key + Int(child.keySize)),
            node: PropertyListNode(element: child.element, start: key + Int(child.lead)))
    }
}

struct PropertyListItems: RandomAccessCollection, Sendable {
    fileprivate let children: PropertyListChildren
    fileprivate let start: Int

    var startIndex: Int { 0 }
    var endIndex: Int { children.count }

    subscript(position: Int) -> PropertyListNode {
        let (child, offset) = children[position]
        return PropertyListNode(element: child.element, start: start + offset)
    }
}

/// A step down a property list, into a dictionary or an array.
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

struct PropertyListChild: Sendable {
    /// Empty in an array.
    let key: String
    let element: PropertyListElement
    /// The offset in its ``PropertyListChildren/Run``.
    private(set) var start: UInt32 = 0
    private let keyBytes: UInt32
    private let leadBytes: UInt32

    var keySize: Int { Int(keyBytes) }

    var lead: Int { Int(leadBytes) }

    var size: Int { lead + Int(element.size) }

    init(_ element: PropertyListElement) {
        self.init(key: "", keySize: 0, lead: 0, element)
    }

    init(key: String, keySize: Int, lead: Int, _ element: PropertyListElement) {
        self.key = key
        self.element = element
        keyBytes = UInt32(keySize)
        leadBytes = UInt32(lead)
    }

    func starting(at start: Int) -> PropertyListChild {
        var child = self
        child.start = UInt32(start)
        return child
    }

    mutating func move(by distance: Int) {
        start = UInt32(Int(start) + distance)
    }

    func holding(_ element: PropertyListElement) -> PropertyListChild {
        PropertyListChild(key: key, keySize: keySize, lead: lead, element)
    }
}
