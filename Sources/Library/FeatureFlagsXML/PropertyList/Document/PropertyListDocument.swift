import FeatureFlags
import Foundation

/// An Apple XML property list: its source bytes, its values, and edits that change only the bytes they must.
///
/// ```swift
/// let list = try PropertyListDocument(source: Data(contentsOf: file))
/// let edited = try list.setting(3.5, at: FlagKeyPath(components: ["delivery", "fee"]))
/// print(edited.source.count, list.location(at: FlagKeyPath(components: ["delivery"]))?.line ?? 0)
/// ```
public struct PropertyListDocument: Sendable {
    /// The default limit of a document's size: 256 MiB, in bytes.
    public static let maximumSize = 256 * 1024 * 1024
    /// The largest limit of a document's size: 1 GiB, in bytes.
    public static let largestMaximumSize = 1024 * 1024 * 1024
    /// The limit of nested levels, including the root value.
    public static let maximumDepth = PropertyListNode.maximumDepth
    /// The bytes of the size limit for each element, key or value: 256 MiB allow four million elements.
    public static let bytesForElement = 64
    /// The limit of a key's size in bytes.
    public static let maximumKeySize = PropertyListNode.maximumKeySize

    /// The bytes as read, or as left by an edit.
    public let source: Data
    let tree: PropertyListNode
    let map: SourceMap
    let isASCII: Bool
    /// Comments may contain ``conflicts`` of a merge.
    let hasConflictMarks: Bool
    let indentation: PropertyListIndentation
    let elements: Int
    let maximumSize: Int
    /// More than one after edits that could not be derived from the parts around them.
    package internal(set) var wholeReads = 1

    /// The value of the root element, a dictionary for a values file.
    ///
    /// Each access creates the value, which is slow for a large file; ``value(at:)`` reads a single value.
    public var root: FlagValue { tree.value }

    /// Reads a property list.
    ///
    /// - Parameters:
    ///   - source: An XML property list in UTF-8, with any root value.
    ///   - maximumSize: The largest size in bytes, now and after an edit.
    /// - Throws: The first fault and its place.
    public init(source: Data, maximumSize: Int = Self.maximumSize) throws(PropertyListError) {
        let maximumSize = min(maximumSize, Self.largestMaximumSize)
        guard source.count <= maximumSize else {
            throw PropertyListError(.tooLarge(source.count, maximum: maximumSize), at: nil)
        }
        self.maximumSize = maximumSize
        // Copied so that offsets start at 0, unlike those of a slice.
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

    /// Writes a new property list as RealFlags does: indented by tabs, with sorted keys and Apple's DOCTYPE.
    ///
    /// - Parameter root: The root value. Dates lose their fractions of a second.
    /// - Throws: An error if a property list can't store the value.
    public init(root: FlagValue) throws(PropertyListError) {
        let root = root.roundedToSeconds
        if let problem = Self.problem(with: root) { throw problem }
        let writer = PropertyListWriter(lineEnd: "\n", step: "\t", isASCII: false)
        let element = writer.element(root, indent: "", separator: "\n")
        try self.init(source: Data((PropertyListWriter.header + element + PropertyListWriter.footer).utf8))
    }

    static func problem(with root: FlagValue) -> PropertyListError? {
        if root.isDeeper(than: maximumDepth) { return PropertyListError(.tooDeep, at: nil) }
        return PropertyListWriter.problem(with: root).map { PropertyListError(.notStorable($0), at: nil) }
    }

    /// Returns a property list with an empty dictionary.
    public static func empty() -> PropertyListDocument {
        do {
            return try PropertyListDocument(root: .dictionary([:]))
        } catch {
            preconditionFailure("an empty dictionary is a property list: \(error)")
        }
    }
}

extension PropertyListDocument {
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
