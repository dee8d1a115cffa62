import FeatureFlags
import FlagChanges

/// Flags with their values in several columns.
struct ValueMatrix: Sendable {
    struct Row: Sendable {
        let entry: FlagEntry
        /// The values by column.
        let answers: [FlagResolution.Answer]
        /// The differences between the base column and each column; that of the base itself is `same`.
        let differences: [Difference]

        /// Returns whether two columns differ, though one can't be read.
        func differs(_ one: Int, _ other: Int) -> Bool {
            Difference(answers[one], answers[other], of: entry.definition).isDifferent
        }

        var isDifferent: Bool { differences.contains(where: \.isDifferent) }
        var isLocked: Bool { entry.definition.metadata.isLocked }
    }

    let columns: [ValueColumn]
    /// The column to compare the others with.
    let base: Int
    /// The flags that the search finds.
    let rows: [Row]
    private let providers: [ProviderSummary?]

    /// Sets the flags that match a text side by side; an empty text matches all.
    ///
    /// Of an environment whose file can't be read, the last good values count; where there is none, it differs from none.
    init(_ columns: [ValueColumn], base: Int = 0, text: String, in view: CatalogueView) {
        self.columns = columns
        self.base = base
        providers = columns.map { column in view.catalogue.providers.first { $0.name == column.provider } }
        rows = FlagFilter(text: text).entries(of: view).map { entry in
            let answers = columns.map { $0.answer(entry) }
            let known = columns.map { $0.known(entry, unreadable: view.status.unreadable) }
            let differences = columns.indices.map { place in
                guard place != base, let left = known[base], let right = known[place] else { return Difference.same }
                return Difference(left, right, of: entry.definition)
            }
            return Row(entry: entry, answers: answers, differences: differences)
        }
    }

    /// Returns whether the app reads a flag from a column.
    func isRead(_ row: Row, in column: Int) -> Bool { providers[column]?.isRead(for: row.entry.key) ?? true }

    /// Returns whether a flag's value can be copied: it isn't locked or broken, and the app reads it in the target.
    func canCopy(_ row: Row, from source: Int, to target: Int) -> Bool {
        guard row.differs(source, target), !row.isLocked, isRead(row, in: target) else { return false }
        if case .broken = row.answers[source] { return false }
        return true
    }
}
