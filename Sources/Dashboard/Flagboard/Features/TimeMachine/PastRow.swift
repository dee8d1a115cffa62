import FeatureFlags
import FlagChanges

/// One flag as it was at a moment, beside what it is now.
struct PastRow: Hashable, PagePart {
    let key: String
    let keyText: String
    /// The flag's page; `nil` where it is gone.
    let href: String?
    let name: String
    let type: String
    /// `same`, `different`, `gone` or `new`, for the style sheet and for tests.
    let standing: String
    let standingLabel: String
    let values: [PastValue]
    /// What ties the checkbox to its label; `nil` where there is nothing to restore.
    let choiceID: String?
    let isChosen: Bool
    /// Why the flag can't be restored, where something differs.
    let note: String?
    /// That what it was follows from a change which was altered; `nil` where it doesn't.
    let altered: String?

    /// Makes a row.
    ///
    /// - Parameter isChosen: Whether it was chosen before.
    init(_ flag: PastFlag, number: Int, scope: RestoreScope, isChosen: Bool = false) {
        let definition = (flag.now ?? flag.then)?.definition
        key = flag.key.text
        keyText = flag.key.shownText
        href = flag.now.map { PageLink.flag($0.key) }
        name = definition?.shownName ?? flag.key.shownName
        type = (flag.then ?? flag.now)?.definition.type.rawValue ?? ""
        (standing, standingLabel) =
            switch (flag.then, flag.now, flag.isDifferent) {
            case (nil, _, _): ("new", "Not there then")
            case (_, nil, _): ("gone", "Gone since")
            case (_, _, true):
                ("different", flag.hasLostDefinition ? "Not defined any more" : "Different now")
            case (_, _, false): ("same", "Same now")
            }
        values =
            flag.values.map { PastValue($0.provider, $0.then, $0.now) } + [PastValue(effective: flag)]
        choiceID = scope.contains(flag) ? "choice-\(number)" : nil
        self.isChosen = isChosen && choiceID != nil
        note = scope.note(on: flag)
        altered = flag.alteredRow.map {
            "Not proven: change \($0), which recorded this state, was altered later."
        }
    }
}

/// What a provider held then, and holds now where that differs.
struct PastValue: Hashable, PagePart {
    let label: String
    let then: ComparedValue
    /// `nil` where it is the same.
    let now: ComparedValue?
    let isEffective: Bool

    /// The line of a provider.
    init(_ provider: String, _ then: FlagResolution.Answer, _ now: FlagResolution.Answer) {
        let pair = ComparedValue.pair(then, now, labels: ("Then", "Now"))
        label = provider
        self.then = pair.left
        self.now = then.stored == now.stored ? nil : pair.right
        isEffective = false
    }

    /// The line of what a read returned.
    init(effective flag: PastFlag) {
        func answer(_ entry: FlagEntry?) -> FlagResolution.Answer {
            entry?.resolution.effectiveValue.map { .value($0, stored: $0) } ?? .absent
        }
        func words(_ entry: FlagEntry?) -> String { entry == nil ? "no such flag" : "no value" }
        let pair = ComparedValue.pair(
            answer(flag.then), answer(flag.now), labels: ("Then", "Now"), absence: (words(flag.then), words(flag.now)))
        label = "Effective"
        then = pair.left
        now = answer(flag.then) == answer(flag.now) && (flag.then == nil) == (flag.now == nil) ? nil : pair.right
        isEffective = true
    }
}
