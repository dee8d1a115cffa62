import FeatureFlags
import FlagChanges

/// Values of flags side by side, a row for each flag.
struct MatrixTable: Hashable, PagePart {
    let caption: String
    /// The column that the caption names at its end.
    let captionName: String?
    let columns: [Column]
    let rows: [MatrixRow]

    struct Column: Hashable, PagePart {
        let name: String
        var about: String?
        var access: String?
        var isBase = false

        init(_ provider: ProviderSummary, _ status: ServiceStatus, isBase: Bool = false) {
            name = provider.name
            about = provider.description
            access = ProviderLabel(provider, status).access
            self.isBase = isBase
        }

        init(name: String) { self.name = name }
    }

    /// `nil` without rows.
    init?(caption: String, named captionName: String? = nil, _ columns: [Column], _ rows: [MatrixRow]) {
        guard !rows.isEmpty else { return nil }
        (self.caption, self.captionName, self.columns, self.rows) = (caption, captionName, columns, rows)
    }

    /// The providers in order of precedence, then the default.
    init?(providersOf entries: some Sequence<FlagEntry>, in view: CatalogueView) {
        self.init(
            caption: "Values by provider, highest priority first",
            view.catalogue.providers.filter(\.isAsked).map { Column($0, view.status) } + [Column(name: "default")],
            entries.map { entry in
                let resolution = entry.resolution
                let cells =
                    resolution.asked.map { reading in
                        MatrixCell(
                            reading.provider,
                            [MatrixValue(reading, isReadable: !view.status.unreadable.contains(reading.provider))],
                            isWinner: resolution.source == .provider(reading.provider))
                    } + [
                        MatrixCell(
                            "default", [MatrixValue(ValueColumn.defaults, of: entry)],
                            isWinner: resolution.source == .defaultValue)
                    ]
                return MatrixRow(entry, cells, marks: FlagMark.marks(of: entry, in: view))
            })
    }
}

struct MatrixRow: Hashable, PagePart {
    let key: String
    let keyText: String
    /// `nil` if the flag is gone.
    let href: String?
    let name: String
    let type: String?
    let marks: [FlagMark]
    /// `nil` if cells say it.
    let standing: Standing?
    let problem: String?
    let note: String?
    /// `nil` if the row can't be chosen.
    let choiceID: String?
    let isChosen: Bool
    let cells: [MatrixCell]

    struct Standing: Hashable, PagePart {
        /// For the style sheet and scripts.
        let name: String
        /// `nil` if the list says as much.
        let label: String?
    }

    init(
        key: FlagKeyPath, _ definition: FlagDefinition?, isGone: Bool = false, _ cells: [MatrixCell],
        marks: [FlagMark] = [], type: String? = nil, standing: (name: String, label: String?)? = nil,
        problem: String? = nil, note: String? = nil, choice: Int? = nil, isChosen: Bool = false
    ) {
        self.key = key.text
        keyText = key.shownText
        href = isGone ? nil : PageLink.flag(key)
        name = definition?.shownName ?? key.shownName
        self.type = type
        self.marks = marks
        self.standing = standing.map { Standing(name: $0.name, label: $0.label) }
        self.problem = problem
        self.note = note
        choiceID = choice.map { "choice-\($0)" }
        self.isChosen = isChosen && choice != nil
        self.cells = cells
    }

    init(
        _ entry: FlagEntry, _ cells: [MatrixCell], marks: [FlagMark] = [], type: String? = nil,
        standing: (name: String, label: String?)? = nil, note: String? = nil, choice: Int? = nil, isChosen: Bool = false
    ) {
        self.init(
            key: entry.key, entry.definition, cells, marks: marks, type: type, standing: standing, note: note,
            choice: choice, isChosen: isChosen)
    }
}

struct MatrixCell: Hashable, PagePart {
    /// The column's name, shown on narrow screens.
    let column: String
    /// The first value's ``MatrixValue/answer``.
    let answer: String
    /// The flag's page with the form for this column, if it links there.
    let href: String?
    /// One value, or those of then and now.
    let values: [MatrixValue]
    let isWinner: Bool
    let isDifferent: Bool
    /// `true` to say so in words, if the row doesn't.
    let saysDifferent: Bool
    /// The button's value for a copy to the base; `nil` if impossible.
    let copy: String?

    init(
        _ column: String, _ values: [MatrixValue], href: String? = nil, isWinner: Bool = false,
        isDifferent: Bool = false, saysDifferent: Bool = false, copy: String? = nil
    ) {
        self.column = column
        answer = values.first?.answer ?? "absent"
        self.href = href
        self.values = values
        self.isWinner = isWinner
        self.isDifferent = isDifferent
        self.saysDifferent = saysDifferent
        self.copy = copy
    }
}
