import FeatureFlags

/// What differs between two dictionaries or arrays, entry by entry, however deep it is inside them.
struct EntryDifference: Hashable, Sendable {
    /// An entry that is in one of both only, or has another value in the other.
    struct Entry: Hashable, Sendable {
        /// The names and places that lead to it, each a step deeper: `weights › distance`, `[2]`.
        let path: String
        let before: FlagValue?
        let after: FlagValue?
    }

    /// The entries that differ, in the order of their paths, as many as were asked for.
    let entries: [Entry]
    /// How many more differ.
    let omitted: Int

    /// Compares two values; `nil` where not both are dictionaries, or arrays.
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
