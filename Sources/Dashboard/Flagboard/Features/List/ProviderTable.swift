import FeatureFlags
import FlagChanges

struct ProviderTable: Hashable, PagePart {
    /// The providers in order of precedence, then the default.
    let columns: [Column]
    let rows: [ProviderTableRow]

    struct Column: Hashable, PagePart {
        let name: String
        /// `nil` for the default.
        let access: String?
    }

    init(_ entries: some Sequence<FlagEntry>, in view: CatalogueView) {
        columns =
            view.catalogue.providers.filter(\.isAsked).map {
                Column(name: $0.name, access: ProviderLabel($0, view.status).access)
            } + [Column(name: "default", access: nil)]
        rows = entries.map { ProviderTableRow($0, in: view) }
    }
}

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

struct ProviderCell: Hashable, PagePart {
    /// The label on narrow screens, which have no columns.
    let provider: String
    /// `value`, `absent` or `broken`, for the style sheet.
    let answer: String
    let shown: ShownValue?
    /// A note that the value is missing or broken.
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

    init(default value: FlagValue?, source: FlagResolution.Source) {
        provider = "default"
        isWinner = source == .defaultValue
        answer = value == nil ? "absent" : "value"
        shown = value.map { ShownValue($0, limit: 60) }
        words = value == nil ? "no default" : nil
    }
}

extension FlagResolution.Reading {
    func brokenness(_ problem: FlagValueError, isReadable: Bool) -> String {
        (isReadable ? "broken: \(problem.description)" : "can’t be read now")
            + (lastGood == nil ? "" : "; this is its last good value")
    }
}
