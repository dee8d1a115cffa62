import FeatureFlags
import Foundation

/// An Apple XML property list: its source bytes, what they say, and edits that change only what they must.
///
/// ```swift
/// let list = try PropertyListDocument(source: Data(contentsOf: file))
/// let edited = try list.setting(3.5, at: FlagKeyPath(components: ["delivery", "fee"]))
/// print(edited.source.count, list.location(at: FlagKeyPath(components: ["delivery"]))?.line ?? 0)
/// ```
public struct PropertyListDocument: Sendable {
    /// The most bytes that a document may have unless another limit is given: 256 MiB.
    public static let maximumSize = 256 * 1024 * 1024
    /// The largest limit of the size that can be given, in bytes: 1 GiB.
    public static let largestMaximumSize = 1024 * 1024 * 1024
    /// The most levels of values that a document may have, the root value being the first.
    public static let maximumDepth = PropertyListNode.maximumDepth
    /// How many bytes of the limit of the size stand for one element at most, each key and each value being one: 256 MiB let
    /// in four million.
    public static let bytesForElement = 64
    /// The most bytes that a key may have.
    public static let maximumKeySize = PropertyListNode.maximumKeySize

    /// The bytes as they were read, or as an edit left them.
    public let source: Data
    let tree: PropertyListNode
    let map: SourceMap
    let isASCII: Bool
    /// Whether a merge may have left conflicts as comments (``conflicts``).
    let hasConflictMarks: Bool
    let indentation: PropertyListIndentation
    /// How many elements it has, each key and each value being one.
    let elements: Int
    /// The most bytes that the document may have, also after an edit.
    let maximumSize: Int
    /// How often all of a source was read to make it: once, and once more for each edit whose outcome could not be told from the
    /// parts around it.
    package internal(set) var wholeReads = 1

    /// The root element's value: a dictionary for a values file.
    ///
    /// It is made anew each time, which takes a while for a large file: ``value(at:)`` reads one value alone.
    public var root: FlagValue { tree.value }

    /// Reads a property list.
    ///
    /// - Parameters:
    ///   - source: An XML property list in UTF-8, of any root value.
    ///   - maximumSize: The most bytes that it may have, now and after an edit.
    /// - Throws: What is wrong with it, and where.
    public init(source: Data, maximumSize: Int = Self.maximumSize) throws(PropertyListError) {
        let maximumSize = min(maximumSize, Self.largestMaximumSize)
        guard source.count <= maximumSize else {
            throw PropertyListError(.tooLarge(source.count, maximum: maximumSize), at: nil)
        }
        self.maximumSize = maximumSize
        // Offsets are counted from 0, which a slice does not do.
        self.source = source.startIndex == 0 ? source : Data(source)
        map = SourceMap(self.source)
        let preflight = try PropertyListPreflight(
            self.source, map: map, maximumElements: maximumSize / Self.bytesForElement)
        isASCII = preflight.isASCII
        hasConflictMarks = Self.holdsConflictMark(self.source)
        elements = preflight.elements
        tree = try PropertyListParser.parse(self.source, map: map)
        indentation = PropertyListIndentation(of: tree, in: self.source, map: map)
    }

    /// A document that an edit made of another one.
    ///
    /// - Parameters:
    ///   - source: The bytes after the edit.
    ///   - tree: What they say.
    ///   - elements: How many elements there are.
    ///   - old: The document before the edit.
    ///   - edits: What was replaced, in order.
    init(
        source: Data, tree: PropertyListNode, elements: Int, from old: PropertyListDocument, edits: [SourceEdit]
    ) {
        self.source = source
        self.tree = tree
        self.elements = elements
        map = SourceMap(source, from: old.map, edits: edits)
        isASCII = old.isASCII
        hasConflictMarks = old.hasConflictMarks || edits.contains { Self.holdsConflictMark($0.replacement) }
        maximumSize = old.maximumSize
        wholeReads = old.wholeReads
        indentation =
            old.indentation.stays(after: edits)
            ? old.indentation : PropertyListIndentation(of: tree, in: source, map: map)
    }

    /// Writes a new property list as RealFlags does: indented by tabs, keys sorted, with Apple's DOCTYPE.
    ///
    /// - Parameter root: The root value. Dates lose their fractions of a second.
    /// - Throws: Where a property list can't store the value.
    public init(root: FlagValue) throws(PropertyListError) {
        let root = root.roundedToSeconds
        if let problem = Self.problem(with: root) { throw problem }
        let writer = PropertyListWriter(lineEnd: "\n", step: "\t", isASCII: false)
        let element = writer.element(root, indent: "", separator: "\n")
        try self.init(source: Data((PropertyListWriter.header + element + PropertyListWriter.footer).utf8))
    }

    /// Why a property list can't store a value as its root; `nil` where it can.
    static func problem(with root: FlagValue) -> PropertyListError? {
        if root.isDeeper(than: maximumDepth) { return PropertyListError(.tooDeep, at: nil) }
        return PropertyListWriter.problem(with: root).map { PropertyListError(.notStorable($0), at: nil) }
    }

    /// A property list that holds an empty dictionary.
    public static func empty() -> PropertyListDocument {
        do {
            return try PropertyListDocument(root: .dictionary([:]))
        } catch {
            preconditionFailure("an empty dictionary is a property list: \(error)")
        }
    }
}

extension PropertyListDocument {
    /// Writes as the file is written.
    var writer: PropertyListWriter {
        let lineEnd: String
        if let first = map.lineBreak(from: 0), source[first] == Byte.carriageReturn {
            lineEnd = source.dropFirst(first + 1).first == Byte.lineFeed ? "\r\n" : "\r"
        } else {
            lineEnd = "\n"
        }
        let plain = PropertyListWriter(lineEnd: lineEnd, step: "", isASCII: isASCII)
        let layout = PropertyListLayout(bytes: source, map: map, writer: plain)
        let rootIndent = layout.leadingBlanks(at: tree.range.lowerBound)
        return PropertyListWriter(
            lineEnd: lineEnd, step: indentation.step ?? (rootIndent.isEmpty ? "\t" : rootIndent), isASCII: isASCII)
    }
}

extension PropertyListLayout {
    init(_ document: PropertyListDocument) {
        self.init(bytes: document.source, map: document.map, writer: document.writer)
    }
}
