import FeatureFlags
import FlagHistory

/// The difference of two values: text word by word, dictionaries and arrays entry by entry.
struct ShownDifference: Hashable, PagePart {
    /// `nil` for a text.
    let note: String?
    let words: [WordPiece]
    let entries: [EntryRow]
    /// `nil` for none.
    let omitted: String?
    /// The number of all changed entries, also the omitted ones.
    let count: Int

    struct WordPiece: Hashable, PagePart {
        let isKept: Bool
        let isRemoved: Bool
        let isAdded: Bool
        let parts: [ShownPart]
    }

    struct EntryRow: Hashable, PagePart {
        let path: String
        /// For the style sheet: `added`, `removed` or `changed`.
        let sort: String
        let label: String
        let entryBefore: ShownValue?
        let entryAfter: ShownValue?
    }

    /// `nil` if both values side by side are as clear.
    init?(_ before: FlagValue?, _ after: FlagValue?, mostEntries: Int = 200) {
        guard let before, let after, before != after else { return nil }
        if case .string(let old) = before, case .string(let new) = after {
            guard let words = Self.words(old, new) else { return nil }
            self.words = words
            (entries, omitted, count, note) = ([], nil, 0, nil)
        } else {
            guard let difference = EntryDifference(before, after, most: mostEntries), !difference.entries.isEmpty else {
                return nil
            }
            words = []
            entries = difference.entries.map(EntryRow.init)
            omitted =
                switch difference.omitted {
                case 0: nil
                case 1: "1 more change"
                default: "\(difference.omitted) more changes"
                }
            count = entries.count + difference.omitted
            note = count == 1 ? "1 change" : "\(count) changes"
        }
    }

    var onlyChange: EntryRow? { count == 1 ? entries.first : nil }

    /// `nil` if little is kept, since both texts are easier to read then.
    private static func words(_ old: String, _ new: String) -> [WordPiece]? {
        guard let difference = WordDifference(old, new) else { return nil }
        let kept = difference.pieces.filter { $0.fate == .kept }.reduce(0) { $0 + $1.text.utf8.count }
        guard kept * 4 >= max(old.utf8.count, new.utf8.count) else { return nil }
        return difference.pieces.map { piece in
            WordPiece(
                isKept: piece.fate == .kept, isRemoved: piece.fate == .removed, isAdded: piece.fate == .added,
                parts: ShownPart.parts(of: piece.text, breaksLines: true))
        }
    }
}

extension ShownDifference.EntryRow {
    init(_ entry: EntryDifference.Entry) {
        let values = ShownValue.pair(entry.before, entry.after, inJSON: true)
        path = entry.path
        entryBefore = entry.before.map { _ in values.before }
        entryAfter = entry.after.map { _ in values.after }
        (sort, label) =
            switch (entry.before, entry.after) {
            case (nil, _): ("added", "Added")
            case (_, nil): ("removed", "Removed")
            default: ("changed", "Changed")
            }
    }
}

/// The difference of two dictionaries or arrays, entry by entry at any depth.
struct EntryDifference: Hashable, Sendable {
    struct Entry: Hashable, Sendable {
        /// Keys and indexes: `weights › distance`, `[2]`.
        let path: String
        let before: FlagValue?
        let after: FlagValue?
    }

    let entries: [Entry]
    let omitted: Int

    /// `nil` unless both are dictionaries or both arrays.
    init?(_ before: FlagValue, _ after: FlagValue, most: Int) {
        var entries: [Entry] = []
        switch (before, after) {
        case (.dictionary, .dictionary), (.array, .array): Self.compare(before, after, [], &entries)
        default: return nil
        }
        self.entries = Array(entries.prefix(most))
        omitted = entries.count - self.entries.count
    }

    private static func compare(
        _ before: FlagValue?, _ after: FlagValue?, _ path: [String], _ entries: inout [Entry]
    ) {
        guard before != after else { return }
        switch (before, after) {
        case (.dictionary(let old)?, .dictionary(let new)?):
            for name in Set(old.keys).union(new.keys).sorted() {
                compare(old[name], new[name], path + [name.isEmpty ? "\"\"" : name], &entries)
            }
        case (.array(let old)?, .array(let new)?):
            for place in 0..<max(old.count, new.count) {
                compare(
                    place < old.count ? old[place] : nil, place < new.count ? new[place] : nil,
                    path + ["[\(place)]"], &entries)
            }
        default:
            entries.append(Entry(path: path.joined(separator: " › "), before: before, after: after))
        }
    }
}
