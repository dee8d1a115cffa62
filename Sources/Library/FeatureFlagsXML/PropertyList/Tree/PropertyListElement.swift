import FeatureFlags

/// The value of an element, and the sizes of its parts.
///
/// It holds no offset, so that an edit before it leaves it unchanged.
struct PropertyListElement: Sendable {
    enum Content: Sendable {
        case scalar(FlagValue)
        indirect case array(PropertyListChildren)
        indirect case dictionary(PropertyListChildren)
    }

    let content: Content
    let startTagSize: UInt32
    /// 0 if the element closes itself.
    let endTagSize: UInt32
    let size: UInt32

    /// Creates an element; `inner` is `nil` if it closes itself.
    init(_ content: Content, range: Range<Int>, inner: Range<Int>?) {
        self.content = content
        startTagSize = UInt32((inner?.lowerBound ?? range.upperBound) - range.lowerBound)
        endTagSize = UInt32(range.upperBound - (inner?.upperBound ?? range.upperBound))
        size = UInt32(range.count)
    }

    init(_ content: Content, of element: PropertyListElement, growth: Int) {
        self.content = content
        startTagSize = element.startTagSize
        endTagSize = element.endTagSize
        size = UInt32(Int(element.size) + growth)
    }

    var children: PropertyListChildren? {
        switch content {
        case .scalar: nil
        case .array(let children), .dictionary(let children): children
        }
    }

    var isDictionary: Bool {
        if case .dictionary = content { true } else { false }
    }

    /// The value; creating it takes time linear in its values.
    var value: FlagValue {
        switch content {
        case .scalar(let value): return value
        case .array(let children):
            var values: [FlagValue] = []
            values.reserveCapacity(children.count)
            children.forEach { values.append($0.element.value) }
            return .array(values)
        case .dictionary(let children):
            var values: [String: FlagValue] = Dictionary(minimumCapacity: children.count)
            children.forEach { values[$0.key] = $0.element.value }
            return .dictionary(values)
        }
    }

    /// The number of keys, at and below it, that occur more than once in a dictionary.
    var repeatedKeys: Int { children?.repeatedKeys ?? 0 }

    /// The number of unsorted dictionaries at and below it, except those in arrays.
    var unsortedDictionaries: Int {
        guard case .dictionary(let children) = content else { return 0 }
        return children.unsortedBelow + (children.isSorted ? 0 : 1)
    }
}
