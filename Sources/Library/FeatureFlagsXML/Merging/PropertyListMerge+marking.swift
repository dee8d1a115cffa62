import FeatureFlags

extension PropertyListMerge {
    /// The start of each conflict's comment, which ``MarkedConflict`` reads.
    static let opening = "<!-- conflict: "
    static let (ourLabel, baseLabel, theirLabel) = (" ours, which the file holds", " base", " theirs")

    /// Returns the document with all versions of each conflict in a comment; `git diff --check` finds the markers.
    package func marked(size: Int = 7) throws(PropertyListEditError) -> PropertyListDocument {
        let layout = PropertyListLayout(document)
        var edits: [(edit: SourceEdit, order: Int)] = []
        for (order, conflict) in conflicts.enumerated() {
            let end = document.end(of: conflict.place, layout)
            let comment = layout.writer.lineEnd + Self.comment(conflict, size: max(size, 1), layout.writer)
            edits.append((SourceEdit(range: end..<end, replacement: comment), order))
        }
        edits.sort { ($0.edit.range.lowerBound, $0.order) < ($1.edit.range.lowerBound, $1.order) }
        var joined: [SourceEdit] = []
        for (edit, _) in edits {
            if joined.last?.range == edit.range {
                joined[joined.count - 1].replacement += edit.replacement
            } else {
                joined.append(edit)
            }
        }
        return joined.isEmpty ? document : try document.applying(joined, for: nil, expecting: [])
    }

    private static func comment(_ conflict: MergeConflict, size: Int, _ writer: PropertyListWriter) -> String {
        func marker(_ character: Character) -> String { String(repeating: character, count: size) }
        func element(_ value: FlagValue?) -> String {
            value.map { writer.element($0, indent: "", separator: writer.lineEnd) } ?? conflict.place.absence
        }
        let lines = [
            "", marker("<") + ourLabel, element(conflict.ours), marker("|") + baseLabel, element(conflict.base),
            marker("="), element(conflict.theirs), marker(">") + theirLabel, "",
        ]
        return title(conflict.place, writer) + withoutDashes(lines.joined(separator: writer.lineEnd)) + "-->"
    }

    static func title(_ place: FlagPlace, _ writer: PropertyListWriter) -> String {
        opening + withoutDashes(writer.escaped(place.text))
    }

    /// Escapes dashes, since a comment can't contain two in a row.
    private static func withoutDashes(_ text: String) -> String {
        var result = ""
        var last: Unicode.Scalar?
        for scalar in text.unicodeScalars {
            if scalar == "-", last == "-" {
                result += "&#45;"
            } else {
                result.unicodeScalars.append(scalar)
            }
            last = scalar
        }
        return result
    }
}

extension PropertyListDocument {
    /// Returns an offset behind the value and the comments on its line, else at the end of the innermost container.
    fileprivate func end(of place: FlagPlace, _ layout: PropertyListLayout) -> Int {
        let name = place.kind.array
        let path = self.path(of: place) ?? (name.map { [.key($0)] } ?? [])
        if self.path(of: place) != nil, let node = node(at: path) {
            return layout.endWithComments(from: node.range.upperBound)
        }
        var rest = path[...]
        while true {
            if let node = node(at: rest) {
                guard node.element.children != nil, let content = node.content else {
                    return layout.endWithComments(from: node.range.upperBound)
                }
                let last = layout.bytes[content].lastIndex { !Byte.isWhitespace($0) }
                return last.map { $0 + 1 } ?? content.lowerBound
            }
            rest = rest.dropLast()
        }
    }
}
