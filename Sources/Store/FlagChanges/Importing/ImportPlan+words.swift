import FeatureFlags

extension ImportPlan {
    /// What the import comes to, in sentences: how many flags of each sort, and which are left out and why.
    public var notes: [String] {
        [summary] + reasons + hints
    }

    /// How many flags there are of each sort, in a sentence.
    public var summary: String {
        let counts: [(Fate, String)] = [
            (.added, "added"), (.changed, "changed"), (.removed, "removed"), (.same, "the same"), (.kept, "kept"),
            (.locked, "locked"),
            (.unknown, "unknown"),
        ]
        var parts = counts.compactMap { fate, word -> String? in
            let count = entries.count { $0.fate == fate } + (fate == .unknown ? moreUnknown : 0)
            return count == 0 ? nil : "\(count) \(word)"
        }
        let invalid = entries.count { $0.fate.isInvalid }
        if invalid > 0 { parts.append("\(invalid) not valid") }
        let imported = entries.count(where: \.isHeld) + moreUnknown
        let total = imported == 1 ? "1 value" : "\(imported) values"
        return "\(total) to import into \(provider)\(parts.isEmpty ? "" : ": " + parts.joined(separator: ", "))."
    }

    private var reasons: [String] {
        let locked = entries.filter { $0.fate == .locked }.map(\.key.text)
        let unknown = entries.filter { $0.fate == .unknown }.map(\.key.text)
        let invalid = entries.compactMap { entry -> String? in
            guard case .invalid(let reason) = entry.fate else { return nil }
            return "\(entry.key.text) (\(reason.hasSuffix(".") ? String(reason.dropLast()) : reason))"
        }
        return [
            ("Left alone, as they are locked", locked, 0),
            ("Not imported, as there is no such flag", unknown, moreUnknown),
            ("Not imported, as the value is not valid", invalid, 0),
        ].filter { !$0.1.isEmpty }.map { "\($0.0): \(Self.list($0.1, and: $0.2))." }
    }

    /// How many flags a sentence names.
    private static let longestList = 20
    /// How much of a name, and of what is said of it, a sentence holds.
    private static let longestName = 300

    private static func list(_ names: [String], and others: Int) -> String {
        let shown = names.prefix(longestList).map { $0.shortened(to: longestName) }.joined(separator: ", ")
        let more = max(0, names.count - longestList) + others
        return more > 0 ? "\(shown) and \(more) more" : shown
    }
}

extension ImportPlan.Fate {
    fileprivate var isInvalid: Bool {
        if case .invalid = self { true } else { false }
    }
}
