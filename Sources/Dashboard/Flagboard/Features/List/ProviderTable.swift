import FeatureFlags
import FlagChanges

/// The list of flags with a column for each provider.
struct ProviderTable: Hashable, PagePart {
    /// The columns: the providers that a read asks, in order of precedence, then the default.
    let columns: [Column]
    let rows: [ProviderTableRow]

    /// A column's head.
    struct Column: Hashable, PagePart {
        let name: String
        /// What can be done with it, in words; `nil` for the default.
        let access: String?
    }

    /// Makes the table.
    init(_ entries: some Sequence<FlagEntry>, in view: CatalogueView) {
        columns =
            view.catalogue.providers.filter(\.isAsked).map {
                Column(name: $0.name, access: ProviderLabel($0, view.status).access)
            } + [Column(name: "default", access: nil)]
        rows = entries.map { ProviderTableRow($0, in: view) }
    }
}

/// One flag's values, side by side.
struct ProviderTableRow: Hashable, PagePart {
    let key: String
    let keyText: String
    let href: String
    let name: String
    let marks: [FlagMark]
    let cells: [ProviderCell]

    init(_ entry: FlagEntry, in view: CatalogueView) {
        let resolution = entry.resolution
        key = entry.key.text
        keyText = entry.key.shownText
        href = PageLink.flag(entry.key)
        name = entry.definition.shownName
        marks = FlagMark.marks(of: entry, in: view)
        cells =
            resolution.asked.map { reading in
                ProviderCell(
                    reading, isWinner: resolution.source == .provider(reading.provider),
                    isReadable: !view.status.unreadable.contains(reading.provider))
            } + [ProviderCell(default: entry.definition.defaultValue, source: resolution.source)]
    }
}

/// What one provider holds for one flag.
struct ProviderCell: Hashable, PagePart {
    /// Whose it is, where there is no room for columns.
    let provider: String
    /// `value`, `absent` or `broken`, for the style sheet.
    let answer: String
    let shown: ShownValue?
    /// That there is no value, or none that counts, in words.
    let words: String?
    let isWinner: Bool

    init(_ reading: FlagResolution.Reading, isWinner: Bool, isReadable: Bool) {
        provider = reading.provider
        self.isWinner = isWinner
        switch reading.answer {
        case .absent: (self.answer, shown, words) = ("absent", nil, "no value")
        case .value(let value, _): (self.answer, shown, words) = ("value", ShownValue(value, limit: 60), nil)
        case .broken(let problem, let stored):
            self.answer = "broken"
            shown = (reading.lastGood ?? stored).map { ShownValue($0, limit: 60) }
            words = reading.brokenness(problem, isReadable: isReadable)
        }
    }

    /// The cell of the default.
    init(default value: FlagValue?, source: FlagResolution.Source) {
        provider = "default"
        isWinner = source == .defaultValue
        answer = value == nil ? "absent" : "value"
        shown = value.map { ShownValue($0, limit: 60) }
        words = value == nil ? "no default" : nil
    }
}

extension FlagResolution.Reading {
    /// What is wrong with a provider's value, in words, and whether its last good one counts.
    func brokenness(_ problem: FlagValueError, isReadable: Bool) -> String {
        (isReadable ? "broken: \(problem.description)" : "can’t be read now")
            + (lastGood == nil ? "" : "; this is its last good value")
    }
}
