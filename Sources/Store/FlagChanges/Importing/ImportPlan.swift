import FeatureFlags
import FlagHistory

/// What an import would do, flag by flag.
public struct ImportPlan: Sendable {
    /// What happens to the values that the provider holds.
    public enum Mode: String, CaseIterable, Hashable, Sendable {
        /// Those that the import doesn't hold stay.
        case merge
        /// Those that the import doesn't hold are reset.
        case replace
        /// All of them stay: flags get a value that have none in the provider.
        case create
    }

    /// What becomes of one flag.
    public enum Fate: Hashable, Sendable {
        /// The provider gets a value, where it held none.
        case added
        /// The provider gets another value.
        case changed
        /// The provider's value is reset, since the import holds none.
        case removed
        /// The provider holds just that already.
        case same
        /// Nothing, because the provider holds another value, and those are to stay.
        case kept
        /// Nothing, because the flag is locked.
        case locked
        /// Nothing, because there is no such flag, or none to be seen.
        case unknown
        /// Nothing, because the value is not valid; with the reason.
        case invalid(String)
    }

    /// A flag with what becomes of it.
    public struct Entry: Hashable, Sendable {
        /// The flag.
        public let key: FlagKeyPath
        /// What becomes of it.
        public let fate: Fate
        /// Whether the import holds a value for it; else the flag is among those that would be reset.
        public let isHeld: Bool
    }

    /// The provider that the values go to.
    public let provider: String
    /// What happens to the values that the import doesn't hold.
    public let mode: Mode
    /// Each flag that the import holds or would reset, in the order of the catalogue, those that are not in it last: of keys that
    /// stand for no flag, the first ``mostUnknown``.
    public private(set) var entries: [Entry]
    /// How many more keys of the import stand for no flag.
    public let moreUnknown: Int
    /// The changes to make, the resets first; each holds for the value that the provider held when the plan was made.
    public let changes: [Change]
    /// What the import holds and is not made, with why: of flags that are locked or unknown, or that the value is not valid
    /// for; of those that are unknown, the first ``mostUnknown``.
    public let leftOut: [ChangePreview]
    /// How to write the key paths that were probably meant by some that are unknown, in sentences.
    let hints: [String]

    /// How many keys are told one by one that stand for no flag: any file may be sent, with hundreds of thousands.
    public static let mostUnknown = 1000
}

extension ImportPlan {
    /// What an import asks for, before any rule is looked at.
    struct Wish {
        let change: Change
        /// What becomes of the flag whatever the rules say, as the change is out of the question or made already; else
        /// `nil`.
        let fate: Fate?
        /// The flag that is meant, where the key path was written as one key.
        var meant: FlagKeyPath?
    }

    /// What an import asks for, flag by flag.
    ///
    /// - Returns: What is asked for, the resets first, and how many more keys stand for no flag than are among it.
    /// - Throws: ``ChangeError`` where that is more than is changed at once.
    static func wishes(
        of values: ImportedValues, into provider: String, _ mode: Mode, _ catalogue: FlagCatalogue,
        takesNewFlags: Bool
    ) throws(ChangeError) -> (wishes: [Wish], moreUnknown: Int) {
        var imported = values.actions(for: catalogue)
        var wishes: [Wish] = []
        for entry in catalogue.entries {
            let action = imported.removeValue(forKey: entry.key)
            let reading = entry.resolution[provider] ?? .absent
            guard action != nil || mode == .replace && reading.stored != nil else { continue }
            var change = Change(key: entry.key, action: action ?? .reset, provider: provider)
            change.revisions = entry.revisions[provider].map { [$0] }
            let isSame =
                action != nil && reading.stored != nil
                && change.asked(entry.definition, replacing: reading.stored) == reading.stored
            let isKept = mode == .create && reading.stored != nil
            wishes.append(Wish(change: change, fate: isSame ? .same : isKept ? .kept : nil))
        }
        if takesNewFlags, imported.count > ChangeService.largestImport {
            throw .importingTooMuch(wishes.count { $0.fate == nil } + imported.count)
        }
        let unknown = imported.keys.first(takesNewFlags ? imported.count : mostUnknown)
        for key in unknown {
            guard let action = imported[key] else { continue }
            let change = Change(key: key, action: action, provider: provider, revision: FlagRevision(of: nil))
            let nested = FlagKeyPath(text: key.components.joined(separator: "/"))
            let meant = nested.flatMap { $0 != key && catalogue[$0] != nil ? $0 : nil }
            wishes.append(Wish(change: change, fate: takesNewFlags ? nil : .unknown, meant: meant))
        }
        // What is reset makes room for groups of the same name.
        return (
            wishes.filter { $0.change.action == .reset } + wishes.filter { $0.change.action != .reset },
            imported.count - unknown.count
        )
    }

    /// Joins what is asked for with what the rules say to it.
    ///
    /// - Throws: The refusal, where it is not about a single flag.
    init(
        _ wishes: [Wish], moreUnknown: Int, _ previews: [ChangePreview], into provider: String, _ mode: Mode
    ) throws(ChangeError) {
        var entries: [Entry] = []
        var changes: [Change] = []
        var leftOut: [ChangePreview] = []
        var rest = previews[...]
        for wish in wishes {
            let preview = wish.fate == nil ? rest.popFirst() : Self.unasked(wish, provider)
            guard let preview else { continue }
            let fate = if let fate = wish.fate { fate } else { try Self.fate(of: preview) }
            entries.append(Entry(key: wish.change.key, fate: fate, isHeld: wish.change.action != .reset))
            switch fate {
            case .added, .changed, .removed: changes.append(wish.change)
            case .locked, .unknown, .invalid: leftOut.append(preview)
            case .same, .kept: break
            }
        }
        self.provider = provider
        self.mode = mode
        self.entries = entries
        self.moreUnknown = moreUnknown
        self.changes = changes
        self.leftOut = leftOut
        hints = wishes.filter { $0.fate == .unknown && $0.meant != nil }.prefix(Self.mostHints).map {
            Self.refusal(of: $0).remedy
        }
    }

    /// The plan as it was carried out: what was written says what became of each flag, also where that was an earlier answer to the
    /// same request.
    ///
    /// - Parameter hidden: The flags that must not be told of, with whatever is inside them.
    func settled(_ outcomes: [ChangeOutcome], hidden: Set<FlagKeyPath>) -> ImportPlan {
        var made: [FlagKeyPath: Fate] = [:]
        for case .applied(let record) in outcomes {
            let (before, after) = (record.event.before, record.event.after)
            made[record.event.key] = after == nil ? .removed : before == nil ? .added : .changed
        }
        var plan = self
        plan.entries = entries.map { entry in
            switch entry.fate {
            case .unknown: entry
            case .added, .changed, .removed, .same, .kept, .locked, .invalid:
                Entry(key: entry.key, fate: made[entry.key] ?? entry.fate.unmade, isHeld: entry.isHeld)
            }
        }
        // What an earlier answer had reset is not planned any more.
        let told = Set(entries.map(\.key))
        let others = made.filter { key, _ in !told.contains(key) && !hidden.contains(where: key.isInside) }
        plan.entries += others.sorted { $0.key < $1.key }.map { Entry(key: $0.key, fate: $0.value, isHeld: false) }
        return plan
    }

    /// How many flags are told that were probably meant.
    private static let mostHints = 3

    /// What comes of a change that no rule was asked about.
    private static func unasked(_ wish: Wish, _ provider: String) -> ChangePreview {
        ChangePreview(
            change: wish.change, provider: provider, before: nil, after: nil,
            refusal: wish.fate == .unknown ? refusal(of: wish) : nil)
    }

    private static func refusal(of wish: Wish) -> ChangeError {
        let key = wish.change.key
        guard let meant = wish.meant, let name = meant.components.last else { return .unknown(key) }
        return ChangeError(
            .unknown, key: key, "There is no flag \(key).",
            remedy: "If \(meant) is meant, write \(name) inside its groups: a key with slashes is one name.")
    }

    private static func fate(of preview: ChangePreview) throws(ChangeError) -> Fate {
        guard let refusal = preview.refusal else {
            if preview.changesNothing { return .same }
            return preview.after == nil ? .removed : preview.before == nil ? .added : .changed
        }
        switch refusal.reason {
        case .locked: return .locked
        case .unknown: return .unknown
        case .invalid: return .invalid(refusal.description)
        // Another change was quicker: the person who applies these is told so.
        case .conflict: return .changed
        case .notAllowed, .reasonTooLong, .keyReused, .unavailable, .full: throw refusal
        }
    }
}

extension ImportPlan.Fate {
    /// What became of the flag where nothing was written for it.
    fileprivate var unmade: Self {
        switch self {
        case .added, .changed, .removed: .same
        case .same, .kept, .locked, .unknown, .invalid: self
        }
    }
}

extension Collection<FlagKeyPath> {
    /// The first elements in order, found in one pass where they are few.
    fileprivate func first(_ most: Int) -> [FlagKeyPath] {
        guard count > most else { return sorted() }
        var first: [FlagKeyPath] = []
        for key in self where first.count < most || key < first[most - 1] {
            first.insert(key, at: first.partitioningIndex { key < $0 })
            if first.count > most { first.removeLast() }
        }
        return first
    }
}

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
