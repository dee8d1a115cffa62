import FeatureFlags

/// An element of a property list: its value, and the sizes of its parts.
///
/// It holds no offset: where it starts follows from what it stands in, so that an edit before it leaves it as it is.
struct PropertyListElement: Sendable {
    enum Content: Sendable {
        /// A value that is no container.
        case scalar(FlagValue)
        indirect case array(PropertyListChildren)
        indirect case dictionary(PropertyListChildren)
    }

    let content: Content
    let startTagSize: UInt32
    /// 0 where the element closes itself.
    let endTagSize: UInt32
    /// How many bytes it has, the tags included.
    let size: UInt32

    /// - Parameters:
    ///   - content: What it holds.
    ///   - range: The bytes of the element.
    ///   - inner: Those between its tags; `nil` where it closes itself.
    init(_ content: Content, range: Range<Int>, inner: Range<Int>?) {
        self.content = content
        startTagSize = UInt32((inner?.lowerBound ?? range.upperBound) - range.lowerBound)
        endTagSize = UInt32(range.upperBound - (inner?.upperBound ?? range.upperBound))
        size = UInt32(range.count)
    }

    /// The same element with other content, which makes it longer or shorter.
    init(_ content: Content, of element: PropertyListElement, growth: Int) {
        self.content = content
        startTagSize = element.startTagSize
        endTagSize = element.endTagSize
        size = UInt32(Int(element.size) + growth)
    }

    /// What is in an array or a dictionary; `nil` for any other value.
    var children: PropertyListChildren? {
        switch content {
        case .scalar: nil
        case .array(let children), .dictionary(let children): children
        }
    }

    var isDictionary: Bool {
        if case .dictionary = content { true } else { false }
    }

    /// The value, made anew: as much work as there are values in it.
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

    /// How many dictionaries at and below it, those in arrays left out, have their keys out of order.
    var unsortedDictionaries: Int {
        guard case .dictionary(let children) = content else { return 0 }
        return children.unsortedBelow + (children.isSorted ? 0 : 1)
    }
}
