import FeatureFlags

/// A new entry for a dictionary: where it goes and how it looks there.
struct PropertyListInsertion {
    let layout: PropertyListLayout
    /// The dictionary.
    let group: PropertyListNode
    /// The entry that holds the dictionary; `nil` for the root.
    let entry: PropertyListEntry?
    /// Whether the file's groups are sorted, which decides for a dictionary of fewer than two keys.
    let isFileSorted: Bool

    static func isSorted(_ entries: [PropertyListEntry]) -> Bool {
        zip(entries, entries.dropFirst()).allSatisfy { PropertyListWriter.precedes($0.key, $1.key) }
    }

    /// The edit that adds an entry.
    func edit(_ key: String, _ value: FlagValue) -> SourceEdit {
        guard let entries = group.entries, let content = group.content, !entries.isEmpty else {
            return firstEntry(key, value)
        }
        let isSorted = entries.count >= 2 ? Self.isSorted(entries) : isFileSorted
        let position = isSorted ? entries.firstIndex { PropertyListWriter.precedes(key, $0.key) } : nil
        let before = (position ?? entries.count) - 1
        let neighbour = entries[max(before, 0)]
        let end = layout.endWithComments(
            from: before >= 0 ? neighbour.node.range.upperBound : content.lowerBound)
        let style = layout.style(of: neighbour)
        let gap =
            style.indent.map { layout.writer.lineEnd + $0 }
            ?? layout.text(layout.skippingBlanks(before: neighbour.keyRange.lowerBound)..<neighbour.keyRange.lowerBound)
        return SourceEdit(range: end..<end, replacement: gap + layout.writer.entry(key, value, style: style))
    }

    private func firstEntry(_ key: String, _ value: FlagValue) -> SourceEdit {
        let lineEnd = layout.writer.lineEnd
        let outer = layout.leadingBlanks(at: group.range.lowerBound)
        let inner = hasOwnLine ? outer + layout.writer.step : nil
        let text =
            (inner.map { lineEnd + $0 } ?? "")
            + layout.writer.entry(key, value, style: layout.writer.linesStyle(indent: inner))
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

    /// Whether the dictionary starts its line, alone or behind its own key, or spans lines.
    private var hasOwnLine: Bool {
        if let content = group.content, layout.hasLineBreak(content) { return true }
        let start = group.range.lowerBound
        if layout.indentation(of: start) != nil { return true }
        guard let key = entry?.keyRange else { return false }
        return layout.indentation(of: key.lowerBound) != nil && !layout.hasLineBreak(key.lowerBound..<start)
    }
}

extension PropertyListLayout {
    /// How an entry stands in its dictionary, to write others like it.
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
