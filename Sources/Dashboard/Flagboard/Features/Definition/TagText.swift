import Foundation

/// Tags as people type them: with commas between them.
enum TagText {
    /// The tags in a text.
    ///
    /// - Parameter known: Tags that there are already: one that has commas of its own is only told by that.
    static func tags(in text: String, known: some Sequence<String>) -> [String] {
        let long = Set(known.filter { $0.contains(",") })
        let most = long.map { $0.split(separator: ",", omittingEmptySubsequences: false).count }.max() ?? 1
        var parts = text.split(separator: ",", omittingEmptySubsequences: false)[...]
        var (tags, seen): ([String], Set<String>) = ([], [])
        while !parts.isEmpty {
            let count = (1...min(most, parts.count)).last { long.contains(tag(of: parts.prefix($0))) } ?? 1
            let found = tag(of: parts.prefix(count))
            if !found.isEmpty, seen.insert(found).inserted { tags.append(found) }
            parts = parts.dropFirst(count)
        }
        return tags
    }

    private static func tag(of parts: some Sequence<Substring>) -> String {
        parts.joined(separator: ",").trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
