import FeatureFlags
import Foundation

struct PropertyListInsertion {
    let layout: PropertyListLayout
    let group: PropertyListNode
    let entry: PropertyListEntry?
    /// Decides for a dictionary with fewer than two keys.
    let isFileSorted: Bool
    private var names: [String] = []
    private var added: FlagValue = .dictionary([:])

    init(layout: PropertyListLayout, group: PropertyListNode, entry: PropertyListEntry?, isFileSorted: Bool) {
        self.layout = layout
        self.group = group
        self.entry = entry
        self.isFileSorted = isFileSorted
    }

    /// Adds a value; all groups on its path below the dictionary are new.
    mutating func add(_ value: FlagValue, at path: ArraySlice<PathStep>) {
        guard case .key(let name)? = path.first, case .dictionary(let entries) = added else { return }
        if entries[name] == nil { names.append(name) }
        added.make(.set(value), at: path)
    }

    var edits: [SourceEdit] {
        guard let entries = group.entries, let content = group.content, !entries.isEmpty else {
            return [firstEntries(sorted(isFileSorted))]
        }
        let isSorted = entries.count >= 2 ? entries.isSorted : isFileSorted
        var edits: [SourceEdit] = []
        var last: Int?
        for (name, value) in sorted(isSorted) {
            let position = isSorted ? Self.position(of: name, in: entries) : entries.count
            let neighbour = entries[max(position - 1, 0)]
            let style = layout.style(of: neighbour)
            let start = neighbour.keyRange.lowerBound
            let gap =
                style.indent.map { layout.writer.lineEnd + $0 }
                ?? layout.text(layout.skippingBlanks(before: start)..<start)
            let text = gap + layout.writer.entry(name, value, style: style)
            if position == last {
                edits[edits.count - 1].replacement += Data(text.utf8)
                continue
            }
            last = position
            let end = layout.endWithComments(
                from: position > 0 ? neighbour.node.range.upperBound : content.lowerBound)
            edits.append(SourceEdit(range: end..<end, replacement: text))
        }
        return edits
    }

    private func sorted(_ isSorted: Bool) -> [(String, FlagValue)] {
        guard case .dictionary(let entries) = added else { return [] }
        let names = isSorted ? names.sorted(by: PropertyListWriter.precedes) : names
        return names.compactMap { name in entries[name].map { (name, $0) } }
    }

    private static func position(of name: String, in entries: PropertyListEntries) -> Int {
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if PropertyListWriter.precedes(name, entries[middle].key) { high = middle } else { low = middle + 1 }
        }
        return low
    }

    private func firstEntries(_ entries: [(String, FlagValue)]) -> SourceEdit {
        let lineEnd = layout.writer.lineEnd
        let outer = layout.leadingBlanks(at: group.range.lowerBound)
        let inner = hasOwnLine ? outer + layout.writer.step : nil
        let style = layout.writer.linesStyle(indent: inner)
        let text = entries.map { name, value in
            (inner.map { lineEnd + $0 } ?? "") + layout.writer.entry(name, value, style: style)
        }.joined()
        let closing = inner == nil ? "" : lineEnd + outer
        guard let content = group.content else {
            let slash = group.range.upperBound - 2
            let nameEnd = layout.bytes[..<slash].lastIndex { !Byte.isWhitespace($0) }.map { $0 + 1 } ?? slash
            return SourceEdit(range: nameEnd..<group.range.upperBound, replacement: ">\(text)\(closing)</dict>")
        }
        let lastMarkup = layout.bytes[content].lastIndex { !Byte.isWhitespace($0) }.map { $0 + 1 }
        let end = layout.endWithComments(from: lastMarkup ?? content.lowerBound)
        let closesOnOwnLine = layout.hasLineBreak(end..<content.upperBound)
        return SourceEdit(range: end..<end, replacement: text + (closesOnOwnLine ? "" : closing))
    }

    /// The dictionary starts its line, alone or behind its key, or spans lines.
    private var hasOwnLine: Bool {
        if let content = group.content, layout.hasLineBreak(content) { return true }
        let start = group.range.lowerBound
        if layout.indentation(of: start) != nil { return true }
        guard let key = entry?.keyRange else { return false }
        return layout.indentation(of: key.lowerBound) != nil && !layout.hasLineBreak(key.lowerBound..<start)
    }
}

extension PropertyListLayout {
    func style(of entry: PropertyListEntry) -> PropertyListWriter.EntryStyle {
        let between = entry.keyRange.upperBound..<entry.node.range.lowerBound
        let indent = indentation(of: entry.keyRange.lowerBound)
        let valueIndent = indentation(of: entry.node.range.lowerBound)
        if isWhitespace(between), !hasLineBreak(between) {
            return PropertyListWriter.EntryStyle(indent: indent, separator: text(between), valueIndent: indent)
        }
        let inner = valueIndent ?? indent
        return PropertyListWriter.EntryStyle(
            indent: indent, separator: inner.map { writer.lineEnd + $0 } ?? "", valueIndent: inner)
    }
}
