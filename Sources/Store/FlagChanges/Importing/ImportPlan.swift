import FeatureFlags
import FlagHistory

package struct ImportPlan: Sendable {
    package enum Mode: String, CaseIterable, Hashable, Sendable {
        case merge
        /// Resets values that the import lacks.
        case replace
        /// Only adds missing values.
        case create
    }

    package enum Fate: Hashable, Sendable {
        case added
        case changed
        /// The import lacks the value, which is reset.
        case removed
        case same
        case kept
        case locked
        /// The flag doesn't exist, or is hidden.
        case unknown
        case invalid(String)
    }

    package struct Entry: Hashable, Sendable {
        package let key: FlagKeyPath
        package let fate: Fate
        /// False if the import lacks the flag, which would be reset.
        package let isHeld: Bool
        /// The parts that are stored as another type.
        package var retyped: [RetypedPart] = []
    }

    package let provider: String
    package let mode: Mode
    /// The held or reset flags in the catalogue's order, then up to ``mostUnknown`` unknown keys.
    package private(set) var entries: [Entry]
    package let moreUnknown: Int
    /// The changes, resets first, each valid only for the value at planning time.
    package let changes: [Change]
    /// Locked, unknown (up to ``mostUnknown``) or invalid changes.
    package let leftOut: [ChangePreview]
    let hints: [String]

    /// The limit of listed unknown keys, since a file may hold hundreds of thousands.
    package static let mostUnknown = 1000
}

extension ImportPlan {
    /// A requested change before any rule is applied.
    struct Wish {
        let change: Change
        /// The effect, if it depends on no rule.
        let fate: Fate?
        /// The flag that was meant by a key with slashes.
        var meant: FlagKeyPath?
    }

    /// Returns the changes, resets first, and the number of further unknown keys.
    static func wishes(
        of values: ImportedValues, into provider: String, _ mode: Mode, _ catalogue: FlagCatalogue,
        takesNewFlags: Bool
    ) throws(ChangeError) -> (wishes: [Wish], moreUnknown: Int) {
        var imported: [FlagKeyPath: Change.Action] = [:]
        var unknown = UnknownFlags(most: takesNewFlags ? ChangeService.largestImport : mostUnknown)
        values.forEachAction(for: catalogue) { key, action in
            if catalogue[key] == nil { unknown.add(key, action) } else { imported[key] = action }
        }
        var wishes: [Wish] = []
        for entry in catalogue.entries {
            let action = imported[entry.key]
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
        if takesNewFlags, unknown.count > ChangeService.largestImport {
            throw .importingTooMuch(wishes.count { $0.fate == nil } + unknown.count)
        }
        let listed = unknown.first
        for (key, action) in listed {
            let change = Change(key: key, action: action, provider: provider, revision: FlagRevision(of: nil))
            let nested = FlagKeyPath(text: key.components.joined(separator: "/"))
            let meant = nested.flatMap { $0 != key && catalogue[$0] != nil ? $0 : nil }
            wishes.append(Wish(change: change, fate: takesNewFlags ? nil : .unknown, meant: meant))
        }
        // Resets make room for groups of the same name.
        return (
            wishes.filter { $0.change.action == .reset } + wishes.filter { $0.change.action != .reset },
            unknown.count - listed.count
        )
    }

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
            entries.append(
                Entry(
                    key: wish.change.key, fate: fate, isHeld: wish.change.action != .reset, retyped: preview.retyped))
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

    /// The reason why nothing is imported, unless refused flags are left out.
    package var refusal: ChangeError? {
        guard let first = leftOut.lazy.compactMap(\.refusal).first else { return nil }
        guard first.reason == .unknown, moreUnknown > 0 else { return first }
        let listed = leftOut.count { $0.refusal?.reason == .unknown }
        return ChangeError(
            .unknown, key: first.key,
            "The import has \(listed + moreUnknown) unknown key paths. The first \(listed) are listed.",
            remedy: "Nothing was changed. Define the flags, or use partial to skip them.")
    }

    /// Replaces planned effects by actual ones, possibly of an earlier answer to the same request.
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
                Entry(
                    key: entry.key, fate: made[entry.key] ?? entry.fate.unmade, isHeld: entry.isHeld,
                    retyped: entry.retyped)
            }
        }
        // An earlier answer may have reset flags that are no longer planned.
        let told = Set(entries.map(\.key))
        let others = made.filter { key, _ in !told.contains(key) && !hidden.contains(where: key.isInside) }
        plan.entries += others.sorted { $0.key < $1.key }.map { Entry(key: $0.key, fate: $0.value, isHeld: false) }
        return plan
    }

    private static let mostHints = 3

    private static func unasked(_ wish: Wish, _ provider: String) -> ChangePreview {
        ChangePreview(
            change: wish.change, provider: provider, before: nil, after: nil,
            refusal: wish.fate == .unknown ? refusal(of: wish) : nil)
    }

    private static func refusal(of wish: Wish) -> ChangeError {
        let key = wish.change.key
        guard let meant = wish.meant, let name = meant.components.last else { return .unknown(key) }
        return ChangeError(
            .unknown, key: key, "Flag “\(key)” not found.",
            remedy: "If you mean \(meant), put \(name) inside its groups: a key with slashes counts as one name.")
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
        // The author is warned when applying the changes.
        case .conflict: return .changed
        case .notAllowed, .unknownProvider, .reasonTooLong, .reasonRequired, .confirmationRequired, .keyReused,
            .unavailable, .full:
            throw refusal
        }
    }
}

extension ImportPlan.Fate {
    fileprivate var unmade: Self {
        switch self {
        case .added, .changed, .removed: .same
        case .same, .kept, .locked, .unknown, .invalid: self
        }
    }
}

/// Imported flags that don't exist: their number, and the first ones.
private struct UnknownFlags {
    typealias Flag = (key: FlagKeyPath, action: Change.Action)

    let most: Int
    private(set) var count = 0
    private var kept: [Flag] = []
    /// The last of the first flags so far.
    private var bound: FlagKeyPath?

    init(most: Int) { self.most = most }

    /// In order, at most ``most``.
    var first: ArraySlice<Flag> { kept.sorted { $0.key < $1.key }.prefix(most) }

    mutating func add(_ key: FlagKeyPath, _ action: Change.Action) {
        count += 1
        if let bound, bound < key { return }
        kept.append((key, action))
        guard kept.count == 2 * most else { return }
        kept = Array(first)
        bound = kept.last?.key
    }
}

extension ImportPlan {
    /// Sentences with the number of flags of each kind, and those left out.
    package var notes: [String] {
        [summary] + reasons + hints
    }

    package var summary: String {
        let counts: [(Fate, String)] = [
            (.added, "to add"), (.changed, "to change"), (.removed, "to remove"), (.same, "unchanged"), (.kept, "kept"),
        ]
        var parts = counts.compactMap { fate, word in
            Self.part(entries.count { $0.fate == fate }, word)
        }
        let skipped = [
            (entries.count { $0.fate == .locked }, "locked"),
            (entries.count { $0.fate == .unknown } + moreUnknown, "unknown"),
            (entries.count { $0.fate.isInvalid }, "invalid"),
        ]
        if let count = Self.part(skipped.reduce(0) { $0 + $1.0 }, "skipped") {
            parts.append("\(count) (\(skipped.compactMap(Self.part).joined(separator: ", ")))")
        }
        let imported = entries.count(where: \.isHeld) + moreUnknown
        let total = imported == 1 ? "1 value" : "\(imported) values"
        return "\(total)\(parts.isEmpty ? "" : ": " + parts.joined(separator: ", "))."
    }

    private static func part(_ count: Int, _ word: String) -> String? { count == 0 ? nil : "\(count) \(word)" }

    private var reasons: [String] {
        let locked = entries.filter { $0.fate == .locked }.map(\.key.text)
        let unknown = entries.filter { $0.fate == .unknown }.map(\.key.text)
        let invalid = entries.compactMap { entry -> String? in
            guard case .invalid(let reason) = entry.fate else { return nil }
            return "\(entry.key.text) (\(reason.hasSuffix(".") ? String(reason.dropLast()) : reason))"
        }
        return [
            ("Skipped locked flags", locked, 0),
            ("Skipped unknown flags", unknown, moreUnknown),
            ("Skipped invalid values", invalid, 0),
        ].filter { !$0.1.isEmpty }.map { "\($0.0): \(Self.list($0.1, and: $0.2))." }
    }

    private static let longestList = 20
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
