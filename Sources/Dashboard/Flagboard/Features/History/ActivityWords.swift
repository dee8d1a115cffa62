import FeatureFlags
import FeatureFlagsXML
import FlagChanges
import FlagHistory

/// The words around a flag's name, such as "turned" and "on".
struct ActivityWords: Hashable, PagePart {
    let verb: String
    let rest: String?
    /// All words without the name, such as "turned it on".
    let alone: String

    private init(_ verb: String, _ rest: String? = nil, alone: String? = nil) {
        (self.verb, self.rest) = (verb, rest)
        self.alone = alone ?? [verb, "it", rest].compactMap(\.self).joined(separator: " ")
    }

    /// The only list of these words.
    init(_ event: HistoryEvent, isRenaming: Bool = false) {
        switch Deed(event, isRenaming: isRenaming) {
        case .turn(let isOn): self.init(event.did("turned", "turn"), event.again(isOn ? "on" : "off"))
        case .set:
            let (verb, back) = (event.did("set", "set"), event.again(nil))
            self.init(verb, back, alone: back.map { "\(verb) it \($0)" } ?? verb)
        case .reset: self.init(event.did("reset", "reset"))
        case .change: self.init("tried to change")
        case .define: self.init("created")
        case .redefine: self.init("changed the definition of", alone: "changed the definition")
        case .deprecate: self.init("deprecated")
        case .undeprecate: self.init("ended the deprecation of", alone: "ended the deprecation")
        case .rename: self.init("renamed")
        case .remove: self.init("deleted")
        case .lock: self.init("locked")
        case .unlock: self.init("unlocked")
        case .prune: self.init("archived the oldest changes", alone: "archived the oldest changes")
        case .accept: self.init("accepted the history as it is", alone: "accepted the history as it is")
        case .note: self.init("added a reason for a change to", alone: "added a reason")
        }
    }

    private enum Deed {
        case turn(Bool), set, reset, change
        case define, redefine, deprecate, undeprecate, rename, remove, lock, unlock
        case prune, accept, note

        init(_ event: HistoryEvent, isRenaming: Bool) {
            switch event.kind {
            case .lock: self = .lock
            case .unlock: self = .unlock
            case .prune: self = .prune
            case .accept: self = .accept
            case .note: self = .note
            case .define: self = isRenaming ? .rename : .define
            case .redefine: self = Deed(ofDefinition: event)
            case .remove: self = isRenaming ? .rename : .remove
            case .denied, .aborted: self = event.provider == nil ? .change : Deed(ofValue: event)
            case .set, .reset, .external:
                guard event.provider == nil else { self = Deed(ofValue: event); return }
                self = event.before == nil ? .define : event.after == nil ? .remove : Deed(ofDefinition: event)
            }
        }

        private init(ofDefinition event: HistoryEvent) {
            switch event.onlyDeprecates {
            case true?: self = .deprecate
            case false?: self = .undeprecate
            case nil: self = .redefine
            }
        }

        private init(ofValue event: HistoryEvent) {
            switch event.after {
            case nil: self = .reset
            case .bool(let value) where event.isSwitch: self = .turn(value)
            default: self = .set
            }
        }
    }
}

/// The words for the changes of a batch, such as "turned", two names, and "off".
struct BatchWords: Hashable, PagePart {
    let verb: String
    /// Empty where the verb says all.
    let subjects: [Subject]
    /// Set if not all flags are named.
    let others: String?
    let rest: String?
    /// The provider of all changes, if it isn't the usual one.
    let elsewhere: String?

    struct Subject: Hashable, PagePart {
        /// Before the name, except for the first.
        let lead: String?
        let name: String
        let isKey: Bool
    }

    /// The most flags of which all are named.
    private static let mostNamed = 3

    /// `records` are newest first; `isCut` if the batch may have more.
    init(_ records: [HistoryRecord], isCut: Bool, in view: CatalogueView?) {
        let least = isCut ? "at least " : ""
        let deeds = Self.deeds(records)
        let isAttempt = records.allSatisfy(\.event.isAttempt)
        let providers = Set(records.compactMap(\.event.provider))
        let usual = view?.catalogue.providers.usual?.name
        elsewhere = providers.count == 1 ? providers.first { $0 != usual } : nil
        if records.allSatisfy({ $0.event.kind == .note }) {
            (verb, rest) = ("added a reason to \(least)\(records.count) changes", nil)
        } else if isCut {
            let count = deeds.count == 1 ? "1 flag" : "\(deeds.count) flags"
            (verb, rest) = ("\(isAttempt ? "tried to change" : "changed") at least \(count)", nil)
        } else {
            let words = Set(deeds.map { ActivityWords($0) })
            // What is the same in words is not the same in two providers.
            let same = words.count == 1 && providers.count < 2 ? words.first : nil
            (verb, rest) = (same?.verb ?? (isAttempt ? "tried to change" : "changed"), same?.rest)
            let named = deeds.count > Self.mostNamed ? Self.mostNamed - 1 : deeds.count
            subjects = deeds.prefix(named).enumerated().map { place, event in
                let flag = HistoryRow.Flag(event, in: view)
                let lead = place == 0 ? nil : place == deeds.count - 1 ? " and " : ", "
                return Subject(lead: lead, name: flag.name, isKey: flag.isKey)
            }
            others = named == deeds.count ? nil : "and \(deeds.count - named) more"
            return
        }
        (subjects, others) = ([], nil)
    }

    /// Returns the event that says most of each flag, oldest first.
    private static func deeds(_ records: [HistoryRecord]) -> [HistoryEvent] {
        var deeds: [HistoryEvent] = []
        for event in records.reversed().map(\.event) {
            guard let place = deeds.firstIndex(where: { $0.key == event.key }) else {
                deeds.append(event)
                continue
            }
            // A flag that was made or deleted with its values was made or deleted.
            if ![.define, .remove].contains(deeds[place].kind) { deeds[place] = event }
        }
        return deeds
    }
}

extension HistoryEvent {
    /// The event only switches a Boolean, so that "on" or "off" says all of it.
    var isSwitch: Bool {
        guard provider != nil, case .bool(let value)? = after else { return false }
        return before == nil || before == .bool(!value)
    }

    /// True if the event only deprecates the flag, false if it only ends that.
    var onlyDeprecates: Bool? {
        guard provider == nil, !isAttempt, case .dictionary(var old)? = before, case .dictionary(var new)? = after
        else { return nil }
        let (was, now) = (old.removeValue(forKey: Self.deprecation), new.removeValue(forKey: Self.deprecation))
        return (was == nil) != (now == nil) && old == new ? was == nil : nil
    }

    private static let deprecation = ManifestField.retired.rawValue

    /// `nil` unless the event only deprecates the flag.
    var deprecationReason: String? {
        guard onlyDeprecates == true, case .dictionary(let fields)? = after,
            case .string(let reason)? = fields[Self.deprecation]
        else { return nil }
        return reason
    }

    fileprivate var isAttempt: Bool { kind == .denied || kind == .aborted }

    fileprivate func did(_ past: String, _ verb: String) -> String { isAttempt ? "tried to \(verb)" : past }

    private var isTakenBack: Bool { origin == .revert && !isAttempt }

    /// How the change was made, unless the words say "back", as those of a value do.
    var originNote: String? { isTakenBack && provider != nil && after != nil ? nil : origin.note }

    fileprivate func again(_ rest: String?) -> String? {
        guard isTakenBack else { return rest }
        return ["back", rest].compactMap(\.self).joined(separator: " ")
    }
}

extension HistoryRecord.Origin {
    /// `nil` for a form, which people use.
    var note: String? {
        switch self {
        case .form, .external: nil
        case .api: "via API"
        case .cli: "via command line"
        case .import: "via import"
        case .revert: "via revert"
        case .code: "from code"
        }
    }
}

struct ActorMark: Hashable, PagePart {
    /// `nil` with an icon.
    let letter: String?
    let icon: String?
    /// The number of a colour in the style sheet, from the name alone.
    let tint: Int

    private static let tints = 6

    init(_ event: HistoryEvent) {
        switch event.origin {
        case .external: (letter, icon, tint) = (nil, "outside", 0)
        case .api, .code: (letter, icon, tint) = (nil, "gearshape", 0)
        case .form, .cli, .import, .revert:
            let first = event.actor.first { $0.isLetter || $0.isNumber }
            letter = first.map { String($0).uppercased() } ?? "?"
            icon = nil
            tint = 1 + event.actor.utf8.reduce(0) { ($0 * 31 + Int($1)) % 9973 } % Self.tints
        }
    }
}
