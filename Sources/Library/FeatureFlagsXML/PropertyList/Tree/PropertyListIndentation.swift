import Foundation

/// What one level of indentation adds in a file.
struct PropertyListIndentation: Sendable, Equatable {
    /// The blanks; `nil` where no dictionary has lines of its own.
    let step: String?
    /// The key that shows it: what stands behind that has no say.
    private let place: Int?

    /// Looks for the first dictionary that has lines of its own; in most files that is the first of all.
    init(of tree: PropertyListNode, in source: Data, map: SourceMap) {
        let layout = PropertyListLayout(
            bytes: source, map: map, writer: PropertyListWriter(lineEnd: "", step: "", isASCII: false))
        // In a file of one line, a look at each entry would only show that.
        let hasLines = map.lineEnd(before: tree.range.upperBound) ?? 0 > tree.range.lowerBound
        let found = hasLines ? Self.first(in: tree, layout) : nil
        step = found?.step
        place = found?.place
    }

    /// What the first dictionary that has lines of its own adds to its indentation, and where.
    private static func first(
        in node: PropertyListNode, _ layout: PropertyListLayout
    ) -> (step: String, place: Int)? {
        guard let entries = node.entries else { return nil }
        let base = layout.leadingBlanks(at: node.range.lowerBound)
        for entry in entries {
            let start = entry.keyRange.lowerBound
            if let indent = layout.indentation(of: start), indent.hasPrefix(base) {
                return (String(indent.dropFirst(base.count)), start)
            }
            if let found = first(in: entry.node, layout) { return found }
        }
        return nil
    }

    /// Whether this still holds once edits are made.
    func stays(after edits: [SourceEdit]) -> Bool {
        guard let place, let first = edits.first else { return edits.isEmpty }
        return first.range.lowerBound > place
    }
}
