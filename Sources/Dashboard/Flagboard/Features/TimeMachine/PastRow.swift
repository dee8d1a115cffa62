import FeatureFlags
import FlagChanges

/// One flag at a moment, beside its current state.
struct PastRow: Hashable, PagePart {
    let key: String
    let keyText: String
    /// The flag's page; `nil` when it is gone.
    let href: String?
    let name: String
    let type: String
    /// `same`, `different`, `gone` or `new`, for the style sheet and tests.
    let standing: String
    let standingLabel: String
    let values: [PastValue]
    /// The checkbox's ID; `nil` when there is nothing to restore.
    let choiceID: String?
    let isChosen: Bool
    /// A note on a flag that can't be restored, or is defined again.
    let note: String?
    /// A warning that its past state follows from an altered change.
    let altered: String?

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

/// A provider's value then, and now if it differs.
struct PastValue: Hashable, PagePart {
    let label: String
    let then: ComparedValue
    /// The current value; `nil` when it is the same.
    let now: ComparedValue?
    let isEffective: Bool

    init(_ provider: String, _ then: FlagResolution.Answer, _ now: FlagResolution.Answer) {
        let pair = ComparedValue.pair(then, now, labels: ("Then", "Now"))
        label = provider
        self.then = pair.left
        self.now = then.stored == now.stored ? nil : pair.right
        isEffective = false
    }

    /// Creates the row of the effective value.
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
