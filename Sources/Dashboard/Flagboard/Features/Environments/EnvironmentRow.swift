import FeatureFlags
import FlagChanges

struct EnvironmentRow: Hashable, PagePart {
    let key: String
    let keyText: String
    let href: String
    let name: String
    let marks: [FlagMark]
    let cells: [Cell]
    /// The checkbox's ID; `nil` when the flag can't be copied.
    let choiceID: String?
    let isChosen: Bool

    struct Cell: Hashable, PagePart {
        /// The environment's name, shown on narrow screens.
        let environment: String
        /// `value`, `default`, `absent` or `broken`, for the style sheet.
        let answer: String
        /// The flag's page with the form for this environment.
        let href: String
        let shown: ShownValue?
        /// A note: the default, no value, or what is wrong with it.
        let words: String?
        let isDifferent: Bool
        /// The button's value for a copy to the base; `nil` when the value can't be copied.
        let copy: String?
    }

    /// Creates a row.
    ///
    /// - Parameters:
    ///   - base: The environment to copy to; `nil` when it can't be changed.
    ///   - number: The row's place on the page; `nil` when nothing can be copied.
    init(
        _ row: EnvironmentMatrix.Row, of matrix: EnvironmentMatrix, in view: CatalogueView, copyingTo base: String?,
        number: Int?, isChosen: Bool
    ) {
        let entry = row.entry
        let isLocked = entry.definition.metadata.isLocked
        key = entry.key.text
        keyText = entry.key.shownText
        href = PageLink.flag(entry.key)
        name = entry.definition.shownName
        marks = FlagMark.marks(of: entry, in: view)
        let isTaken = base.map { base in
            !isLocked && matrix.environments.contains { $0.name == base && $0.takesChanges(of: entry.key) }
        }
        cells = matrix.environments.indices.map { place in
            let environment = matrix.environments[place].name
            return Cell(
                row.outcomes[place], of: entry, in: environment,
                isReadable: !view.status.unreadable.contains(environment), isDifferent: row.differs[place],
                isCopied: isTaken == true)
        }
        let isChoosable = !isLocked && number != nil && row.isDifferent
        choiceID = isChoosable ? number.map { "choice-\($0)" } : nil
        self.isChosen = isChosen && isChoosable
    }
}

extension EnvironmentRow.Cell {
    fileprivate init(
        _ outcome: FlagResolution.Answer, of entry: FlagEntry, in environment: String, isReadable: Bool,
        isDifferent: Bool, isCopied: Bool
    ) {
        self.environment = environment
        self.isDifferent = isDifferent
        href = PageLink.flag(entry.key, provider: environment)
        var isSound = true
        switch outcome {
        case .absent: (answer, shown, words) = ("absent", nil, "no value")
        case .value(let value, _):
            let isDefault = entry.resolution[environment] == .absent
            answer = isDefault ? "default" : "value"
            shown = ShownValue(value, limit: 60)
            words = isDefault ? "default" : nil
        case .broken(let problem, let stored):
            answer = "broken"
            let reading = entry.resolution.readings.first { $0.provider == environment }
            shown = (reading?.lastGood ?? stored).map { ShownValue($0, limit: 60) }
            words = reading?.brokenness(problem, isReadable: isReadable) ?? problem.description
            isSound = false
        }
        copy =
            isCopied && isDifferent && isSound
            ? String(PageLink.query([("from", environment), ("key", entry.key.text)]).dropFirst()) : nil
    }
}
