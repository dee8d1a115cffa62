import FeatureFlags
import Foundation

/// Makes nodes of the elements and texts that a parser reports, and refuses what is no property list.
struct PropertyListBuilder {
    enum Element: String {
        case plist, dict, array, key, string, integer, real, date, data
        case yes = "true"
        case no = "false"

        var holdsText: Bool {
            switch self {
            case .plist, .dict, .array, .yes, .no: false
            case .key, .string, .integer, .real, .date, .data: true
            }
        }
    }

    /// An element that is still open.
    private struct Frame {
        let element: Element
        let tag: Range<Int>
        var text: [UInt8] = []
        var children = PropertyListChildren()
        var key: (text: String, range: Range<Int>)?
    }

    private let map: SourceMap
    /// How many containers stand around what is read.
    private let depth: Int
    private var stack: [Frame] = []
    /// The root value, once `</plist>` was read.
    private(set) var root: PropertyListNode?

    init(map: SourceMap, depth: Int) {
        self.map = map
        self.depth = depth
    }

    func error(_ cause: PropertyListError.Cause, at offset: Int) -> PropertyListError {
        PropertyListError(cause, at: map.location(of: offset))
    }

    /// Opens an element.
    ///
    /// - Parameters:
    ///   - name: The element's name.
    ///   - tag: The bytes of the start tag.
    /// - Throws: Where it is unknown or can't stand there.
    mutating func start(_ name: String, tag: Range<Int>) throws(PropertyListError) {
        guard let parent = stack.last else {
            guard name == Element.plist.rawValue else {
                let isPage = name.lowercased() == "html"
                let found = isPage ? "looks like an HTML page" : "is other XML, with the root element <\(name)>"
                throw error(.notPropertyList("\(found); give a file whose root element is <plist>"), at: tag.lowerBound)
            }
            stack.append(Frame(element: .plist, tag: tag))
            return
        }
        guard let element = Element(rawValue: name) else { throw error(.unknownElement(name), at: tag.lowerBound) }
        if let cause = Self.misplacement(of: element, in: parent) { throw error(cause, at: tag.lowerBound) }
        if parent.element == .dict, element == .key, let key = parent.key {
            throw error(.keyWithoutValue(key.text), at: key.range.lowerBound)
        }
        guard element == .key || depth + stack.count <= PropertyListDocument.maximumDepth else {
            throw error(.tooDeep, at: tag.lowerBound)
        }
        stack.append(Frame(element: element, tag: tag))
    }

    private static func misplacement(of element: Element, in parent: Frame) -> PropertyListError.Cause? {
        switch parent.element {
        case _ where element == .plist:
            .nesting("a <plist> can't stand inside another element; remove it")
        case .plist where element == .key, .array where element == .key:
            .nesting("a <key> belongs directly into a <dict>; this one is in <\(parent.element.rawValue)>")
        case .plist:
            parent.children.count == 0 ? nil : .secondRoot
        case .dict:
            element == .key || parent.key != nil ? nil : .valueWithoutKey(element.rawValue)
        case .array:
            nil
        default:
            .nesting("<\(element.rawValue)> can't stand inside <\(parent.element.rawValue)>; close that one first")
        }
    }

    /// Whether text may stand where the parser is.
    var takesText: Bool { stack.last?.element.holdsText ?? false }

    /// The innermost open element.
    var openElement: String { stack.last?.element.rawValue ?? Element.plist.rawValue }

    /// Adds text to the innermost element.
    ///
    /// - Parameter text: The bytes, without entities.
    /// - Throws: Where that is more than an element of its kind may have.
    mutating func append(text: UnsafeBufferPointer<UInt8>) throws(PropertyListError) {
        let top = stack.count - 1
        guard top >= 0 else { return }
        let size = stack[top].text.count + text.count
        switch stack[top].element {
        case .key where size > PropertyListDocument.maximumKeySize:
            throw error(.keyTooLong, at: stack[top].tag.lowerBound)
        case .integer, .real, .date:
            guard size <= PropertyListScalar.maximumSize else {
                throw error(.textTooLong(in: stack[top].element.rawValue), at: stack[top].tag.lowerBound)
            }
        default: break
        }
        stack[top].text.append(contentsOf: text)
    }

    /// Closes the innermost element.
    ///
    /// - Parameters:
    ///   - range: The bytes of the whole element.
    ///   - content: Those between its tags; `nil` where it closes itself.
    /// - Throws: Where its text is no value of its kind, or something is missing.
    mutating func end(range: Range<Int>, content: Range<Int>?) throws(PropertyListError) {
        guard let frame = stack.popLast() else { return }
        switch frame.element {
        case .plist:
            guard frame.children.count > 0 else { throw error(.noRoot, at: frame.tag.lowerBound) }
            let (child, start) = frame.children[0]
            root = PropertyListNode(element: child.element, start: frame.tag.upperBound + start)
        case .key:
            stack[stack.count - 1].key = (String(decoding: frame.text, as: UTF8.self), range)
        default:
            if let key = frame.key { throw error(.keyWithoutValue(key.text), at: key.range.lowerBound) }
            try attach(element(of: frame, range: range, content: content), at: range.lowerBound)
        }
    }

    private mutating func attach(_ element: PropertyListElement, at start: Int) throws(PropertyListError) {
        let top = stack.count - 1
        let contentStart = stack[top].tag.upperBound
        guard stack[top].element == .dict, let key = stack[top].key else {
            stack[top].children.append(PropertyListChild(element), at: start - contentStart, isEntry: false)
            return
        }
        if let first = stack[top].children.position(of: key.text) {
            let location = map.location(of: contentStart + stack[top].children[first].start)
            throw error(.duplicateKey(key.text, first: location), at: key.range.lowerBound)
        }
        let child = PropertyListChild(
            key: key.text, keySize: key.range.count, lead: start - key.range.lowerBound, element)
        stack[top].children.append(child, at: key.range.lowerBound - contentStart, isEntry: true)
        stack[top].key = nil
    }

    private func element(of frame: Frame, range: Range<Int>, content: Range<Int>?) throws(PropertyListError)
        -> PropertyListElement
    {
        let value: FlagValue
        do throws(PropertyListValueError) {
            var text: String { String(decoding: frame.text, as: UTF8.self) }
            switch frame.element {
            case .yes: value = .bool(true)
            case .no: value = .bool(false)
            case .integer: value = try PropertyListScalar.integer(text)
            case .real: value = try PropertyListScalar.real(text)
            case .date: value = try PropertyListScalar.date(text)
            case .data: value = try PropertyListScalar.data(frame.text)
            case .array: return PropertyListElement(.array(frame.children), range: range, inner: content)
            case .dict: return PropertyListElement(.dictionary(frame.children), range: range, inner: content)
            case .string, .key, .plist: value = .string(text)
            }
        } catch {
            throw self.error(.value(error.text), at: frame.tag.lowerBound)
        }
        return PropertyListElement(.scalar(value), range: range, inner: content)
    }
}
