import FeatureFlags
import Foundation

/// Builds nodes from a parser's events, and rejects other XML than property lists.
struct PropertyListBuilder {
    enum Element: String {
        case plist, dict, array, key, string, integer, real, date, data
        case yes = "true"
        case no = "false"
        /// Another name: a broken value.
        case unknown

        var holdsText: Bool {
            switch self {
            case .plist, .dict, .array: false
            // Should be empty; any text makes the value broken.
            case .key, .string, .integer, .real, .date, .data, .yes, .no, .unknown: true
            }
        }
    }

    private struct Container {
        let element: Element
        let tag: Range<Int>
        var children = PropertyListChildren()
        /// The key of the entry whose value is still to be read.
        var key: (text: String, range: Range<Int>)?
    }

    private struct Leaf {
        let element: Element
        let tag: Range<Int>
        /// The kind of a value whose element is unknown.
        var kind: BrokenFlagValue.Kind?
    }

    /// An element that is broken with all that is in it.
    private struct Foreign {
        let name: String
        /// The number of open elements in it.
        var depth: Int
    }

    private let map: SourceMap
    private let depth: Int
    private var stack: [Container] = []
    private var leaf: Leaf?
    private var foreign: Foreign?
    private var text: [UInt8] = []
    private(set) var root: PropertyListNode?

    init(map: SourceMap, depth: Int) {
        self.map = map
        self.depth = depth
    }

    func error(_ cause: PropertyListError.Cause, at offset: Int) -> PropertyListError {
        PropertyListError(cause, at: map.location(of: offset))
    }

    mutating func start(_ name: PropertyListName, tag: Range<Int>) throws(PropertyListError) {
        guard !stack.isEmpty else {
            guard name.element == .plist else {
                let name = name.text
                let isPage = name.lowercased() == "html"
                let found = isPage ? "looks like an HTML page" : "is XML with the root element <\(name)>"
                throw error(.notPropertyList("\(found); use a file whose root element is <plist>"), at: tag.lowerBound)
            }
            stack.append(Container(element: .plist, tag: tag))
            return
        }
        guard foreign == nil else {
            foreign?.depth += 1
            return
        }
        if let leaf, leaf.element != .key, openContainer != .plist {
            (foreign, self.leaf) = (Foreign(name: leaf.kind?.rawValue ?? leaf.element.rawValue, depth: 1), nil)
            return
        }
        let known = name.element
        let kind = known == nil ? unknownKind(name) : nil
        guard known != nil || kind != nil || !isAtValue else {
            foreign = Foreign(name: String(name.text.prefix(64)), depth: 0)
            return
        }
        guard let element = known ?? kind.map({ _ in .unknown }) else {
            throw error(.unknownElement(name.text), at: tag.lowerBound)
        }
        if let cause = misplacement(of: element) { throw error(cause, at: tag.lowerBound) }
        let top = stack.count - 1
        if element == .key, stack[top].element == .dict, let key = stack[top].key {
            throw error(.keyWithoutValue(key.text), at: key.range.lowerBound)
        }
        guard element == .key || depth + stack.count <= PropertyListNode.maximumDepth else {
            throw error(.tooDeep, at: tag.lowerBound)
        }
        switch element {
        case .plist, .dict, .array: stack.append(Container(element: element, tag: tag))
        case .key, .string, .integer, .real, .date, .data, .yes, .no, .unknown:
            leaf = Leaf(element: element, tag: tag, kind: kind)
            text.removeAll(keepingCapacity: true)
        }
    }

    /// Returns the kind of a value that only its name breaks; `nil` outside of values, and with attributes, which a broken
    /// value doesn't keep.
    private func unknownKind(_ name: PropertyListName) -> BrokenFlagValue.Kind? {
        guard isAtValue, !name.hasAttributes else { return nil }
        return BrokenFlagValue.Kind(rawValue: name.text)
    }

    private var openContainer: Element { stack.last?.element ?? .plist }

    /// An element that starts here is a value of an array or a dictionary.
    private var isAtValue: Bool {
        leaf == nil && openContainer != .plist && (openContainer == .array || stack[stack.count - 1].key != nil)
    }

    private func misplacement(of element: Element) -> PropertyListError.Cause? {
        let top = stack.count - 1
        let parent = openElement
        switch parent {
        case _ where element == .plist:
            return .nesting("a <plist> can't be inside another element; remove it")
        case .plist where element == .key, .array where element == .key:
            return .nesting("a <key> must be directly in a <dict>; this one is in <\(parent.rawValue)>")
        case .plist:
            return stack[top].children.count == 0 ? nil : .secondRoot
        case .dict:
            return element == .key || stack[top].key != nil ? nil : .valueWithoutKey(element.rawValue)
        case .array:
            return nil
        default:
            return .nesting("<\(element.rawValue)> can't be inside <\(parent.rawValue)>; close that one first")
        }
    }

    var takesText: Bool { foreign != nil || leaf?.element.holdsText ?? false }

    var openElement: Element { leaf?.element ?? stack.last?.element ?? .plist }

    mutating func append(text: UnsafeBufferPointer<UInt8>) throws(PropertyListError) {
        guard let leaf else { return }
        guard leaf.element != .key || self.text.count + text.count <= PropertyListNode.maximumKeySize else {
            throw error(.keyTooLong, at: leaf.tag.lowerBound)
        }
        self.text.append(contentsOf: text)
    }

    mutating func end(range: Range<Int>, content: Range<Int>?) throws(PropertyListError) {
        if let foreign {
            guard foreign.depth == 0 else {
                self.foreign?.depth -= 1
                return
            }
            self.foreign = nil
            let broken = FlagValue.broken(BrokenFlagValue(kind: .markup, text: foreign.name))
            return try attach(
                PropertyListElement(.scalar(broken), range: range, inner: content), at: range.lowerBound)
        }
        if let leaf {
            self.leaf = nil
            if leaf.element == .key {
                stack[stack.count - 1].key = (String(decoding: text, as: UTF8.self), range)
            } else {
                try attach(
                    PropertyListElement(.scalar(value(of: leaf)), range: range, inner: content),
                    at: range.lowerBound)
            }
            return
        }
        guard var container = stack.popLast() else { return }
        if let key = container.key { throw error(.keyWithoutValue(key.text), at: key.range.lowerBound) }
        switch container.element {
        case .plist:
            guard container.children.count > 0 else { throw error(.noRoot, at: container.tag.lowerBound) }
            let (child, start) = container.children[0]
            root = PropertyListNode(element: child.element, start: container.tag.upperBound + start)
        case .dict:
            container.children.breakRepetitions()
            let element = PropertyListElement(.dictionary(container.children), range: range, inner: content)
            try attach(element, at: range.lowerBound)
        default:
            let element = PropertyListElement(.array(container.children), range: range, inner: content)
            try attach(element, at: range.lowerBound)
        }
    }

    private mutating func attach(_ element: PropertyListElement, at start: Int) throws(PropertyListError) {
        let top = stack.count - 1
        let contentStart = stack[top].tag.upperBound
        guard stack[top].element == .dict, let key = stack[top].key else {
            stack[top].children.append(PropertyListChild(element), at: start - contentStart, isEntry: false)
            return
        }
        let child = PropertyListChild(
            key: key.text, keySize: key.range.count, lead: start - key.range.lowerBound, element)
        let offset = key.range.lowerBound - contentStart
        if let first = stack[top].children.position(ofSameAs: key.text) {
            stack[top].children.appendRepetition(of: first, child, at: offset)
        } else {
            stack[top].children.append(child, at: offset, isEntry: true)
        }
        stack[top].key = nil
    }

    private func value(of leaf: Leaf) -> FlagValue {
        var string: String { String(decoding: text, as: UTF8.self) }
        if let kind = leaf.kind { return .broken(BrokenFlagValue(kind: kind, text: string)) }
        let read: (kind: BrokenFlagValue.Kind, value: FlagValue?)
        switch leaf.element {
        case .yes: read = (.yes, text.allSatisfy(Byte.isWhitespace) ? .bool(true) : nil)
        case .no: read = (.no, text.allSatisfy(Byte.isWhitespace) ? .bool(false) : nil)
        case .integer: read = (.integer, PropertyListScalar.integer(text))
        case .real: read = (.real, PropertyListScalar.real(text))
        case .date: read = (.date, PropertyListScalar.date(text))
        case .data: read = (.data, PropertyListScalar.data(text))
        case .string, .key, .plist, .dict, .array, .unknown: return .string(string)
        }
        return read.value ?? .broken(BrokenFlagValue(kind: read.kind, text: string))
    }
}
