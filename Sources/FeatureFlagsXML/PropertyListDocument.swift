import FeatureFlags
import Foundation

/// An Apple XML property list: its source bytes, what they say, and edits that change only what they must.
public struct PropertyListDocument: Sendable {
    /// The most bytes that a document may have: 16 MiB.
    public static let maximumSize = 16 * 1024 * 1024
    /// The most levels of values that a document may have, the root value being the first.
    public static let maximumDepth = 64
    /// The most elements that a document may have, each key and each value being one.
    public static let maximumElements = 500_000
    /// The most bytes that a key may have.
    public static let maximumKeySize = 4096

    /// The bytes as they were read, or as an edit left them.
    public let source: Data
    let tree: PropertyListNode
    let map: SourceMap
    let isASCII: Bool

    /// The root element's value: a dictionary for a values file.
    public var root: FlagValue { tree.value }

    /// Reads a property list.
    ///
    /// - Parameter source: An XML property list in UTF-8, of any root value.
    /// - Throws: What is wrong with it, and where.
    public init(source: Data) throws(PropertyListError) {
        guard source.count <= Self.maximumSize else { throw PropertyListError(.tooLarge(source.count), at: nil) }
        // Offsets are counted from 0, which a slice does not do.
        self.source = source.startIndex == 0 ? source : Data(source)
        map = SourceMap(self.source)
        isASCII = try PropertyListPreflight(self.source, map: map).isASCII
        tree = try PropertyListParser.parse(self.source, map: map)
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
