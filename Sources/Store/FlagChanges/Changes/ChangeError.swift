import DurableFiles
import FeatureFlags
import FlagHistory

/// Why a change, or a read, was refused: which flag, what is wrong, and what to do about it.
public struct ChangeError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The sorts of refusal; each has one status in HTTP.
    public enum Reason: Hashable, Sendable {
        /// The author may not do this, or it can't be done here at all.
        case notAllowed
        /// There is no such flag (or none to be seen).
        case unknown
        /// The value has changed since the edit began.
        case conflict(ChangeConflict)
        /// The text is no value for the flag, or the flag can't be changed so.
        case invalid
        /// The reason is longer than the history keeps.
        case reasonTooLong
        /// The author has used the idempotency key for other changes.
        case keyReused
        /// The flag is locked.
        case locked
        /// A file can't be read, or can't be written now.
        case unavailable
        /// There is no room to store the change.
        case full
    }

    /// What sort of refusal it is.
    public let reason: Reason
    /// The flag; `nil` where it is about none.
    public let key: FlagKeyPath?
    /// What is wrong, in a sentence that names flag and cause.
    public let description: String
    /// What to do about it, in a sentence.
    public let remedy: String
    /// What is wrong with each field of a definition, by the field's name in the manifest.
    public let problems: [String: String]

    init(
        _ reason: Reason, key: FlagKeyPath? = nil, _ description: String, remedy: String,
        problems: [String: String] = [:]
    ) {
        self.reason = reason
        self.key = key
        self.description = description
        self.remedy = remedy
        self.problems = problems
    }
}

extension ChangeError {
    /// A refusal because the history can't store or read.
    init(storing error: HistoryStoreError) {
        self.init(
            error.isFull ? .full : .unavailable, error.description,
            remedy: error.isLost
                ? "Nothing was changed."
                : "Nothing was changed. Make the history writable (room, rights, no other program on it), then try again."
        )
    }

    /// A refusal because a file can't be replaced.
    init(writing error: FileAccessError) {
        // What is wrong says what to do about it.
        self.init(
            error.isFull ? .full : .unavailable, error.description,
            remedy: "Nothing was changed. Try again when that is done.")
    }

    /// Whether the author asked for what the author may not do, or what can't be done here: such attempts are recorded.
    var isDenial: Bool { reason == .locked || reason == .notAllowed }

    /// There is no flag of this key path, or none to be seen.
    public static func unknown(_ key: FlagKeyPath) -> ChangeError {
        ChangeError(
            .unknown, key: key, "There is no flag \(key).",
            remedy: "Look for it in the list of flags; its key path must be written exactly.")
    }

    /// The same refusal with a suggestion: the flag that was likely meant.
    package func suggesting(_ likely: FlagKeyPath) -> ChangeError {
        ChangeError(reason, key: key, description, remedy: "Did you mean \(likely)? \(remedy)", problems: problems)
    }

    /// That there is no flag, unless a file that can't be read may hold it: a client must not take the flag for deleted.
    static func absence(of key: FlagKeyPath, unreadable: [FileProblem]) -> ChangeError {
        guard let fileProblem = unreadable.first else { return .unknown(key) }
        return ChangeError(
            .unavailable, key: key, "It can't be told now whether there is a flag \(key). \(fileProblem.description)",
            remedy: "Ask again as soon as that file can be read.")
    }

    /// A value of a flag that is locked.
    ///
    /// - Parameter server: The server that defines it, where this is a replica of that.
    static func locked(_ key: FlagKeyPath, manifest: String, at server: String? = nil) -> ChangeError {
        ChangeError(
            .locked, key: key, "\(key) is locked: its value can't be changed here.",
            remedy: server.map { "An admin can unlock it at \($0), of which this is a replica." }
                ?? "An admin can unlock it, here or by removing isLocked from its definition in \(manifest).")
    }

    static func invalid(_ key: FlagKeyPath, _ problem: FlagValueError) -> ChangeError {
        ChangeError(
            .invalid, key: key, "\(problem.description).",
            remedy: "Correct the value and save again; nothing was changed.")
    }

    /// That the app would never read what a change stores.
    static func unread(_ key: FlagKeyPath, from provider: String) -> ChangeError {
        ChangeError(
            .invalid, key: key, "The app does not read \(key) from \(provider), so a value there would do nothing.",
            remedy: "Choose another provider; which ones a flag is not read from, its declaration in the code says.")
    }

    static func group(_ key: FlagKeyPath, _ problem: FlagValueError) -> ChangeError {
        ChangeError(
            .invalid, key: key, "\(key) can't be changed: \(problem.description).",
            remedy: "Correct the file by hand; nothing was changed.")
    }

    /// A key path of which a part is nothing, as when a slash was typed twice or at the end.
    static func emptyPart(_ key: FlagKeyPath) -> ChangeError {
        ChangeError(
            .invalid, key: key, "\(key) can't be the key path of a flag: a part of it is empty.",
            remedy: "Write the parts with one slash between them, such as checkout/new_button.",
            problems: ["key": "A part of the key path is empty; write it with single slashes between its parts."])
    }

    /// A flag that can't be changed because of another one inside it or around it.
    static func reachesLocked(_ key: FlagKeyPath) -> ChangeError {
        ChangeError(
            .locked, key: key, "\(key) can't be changed: with it would change a locked flag.",
            remedy: "Change the flags one by one.")
    }

    /// A definition that is what the app's code says.
    static func definedInCode(_ key: FlagKeyPath) -> ChangeError {
        ChangeError(
            .notAllowed, key: key,
            "\(key) is defined by the code of the app that serves it, so its definition can't be changed here.",
            remedy: "Change the declaration in the code; the app brings it along when it starts.")
    }

    /// A definition that is another server's.
    static func defined(_ key: FlagKeyPath, at server: String) -> ChangeError {
        ChangeError(
            .notAllowed, key: key, "\(key) is defined at \(server), and this is a replica of that.",
            remedy: "Change its definition, or its lock, there.")
    }

    static func role(_ author: ChangeAuthor, _ change: Change) -> ChangeError {
        let deed =
            switch change.action {
            case .value: "change"
            case .definition(let change): change.isOfLock ? "lock or unlock" : "change the definition of"
            case .note: "give reasons for changes of"
            }
        return ChangeError(
            .notAllowed, key: change.key,
            "\(author.name.shortened(to: 100)) has the role \(author.role.rawValue) and may not \(deed) \(change.key).",
            remedy: change.action.isAboutDefinition ? "Ask an admin to do it." : "Ask an editor or an admin to do it.")
    }

    /// A flag that would be another one, or none, in spite of its lock.
    static func lockedDefinition(_ key: FlagKeyPath) -> ChangeError {
        ChangeError(
            .locked, key: key, "\(key) is locked: it can't be renamed or deleted, and what its values can be stays.",
            remedy: "Unlock it first; nothing was changed.")
    }

    /// A key path that no flag can get: one and the same refusal, so that it tells nothing of flags that can't be seen.
    static func unusable(_ key: FlagKeyPath) -> ChangeError {
        ChangeError(
            .invalid, key: key, "\(key) can't be the key path of another flag.",
            remedy: "Choose another one: this one is in use, reserved, or lies inside or around one that is.",
            problems: [
                "key": "This key path is in use, reserved, or lies inside or around one that is; choose another."
            ])
    }

    /// A definition with which stored values would be broken.
    static func breaking(_ key: FlagKeyPath, _ values: [String]) -> ChangeError {
        let list = values.joined(separator: "; ")
        return ChangeError(
            .invalid, key: key, "With this definition, stored values of \(key) would be broken: \(list).",
            remedy: "Change those values first, or confirm that they may be broken; nothing was changed.",
            problems: ["breaksValues": "Stored values would be broken: \(list)."])
    }

    /// A definition that was changed since the edit began.
    static func changedDefinition(_ key: FlagKeyPath, _ conflict: ChangeConflict) -> ChangeError {
        ChangeError(
            .conflict(conflict), key: key,
            "The definition of \(key) was changed by somebody else while you were editing.",
            remedy: "Look at what it says now; save again to replace it with yours.")
    }

    static func readOnly(_ key: FlagKeyPath? = nil) -> ChangeError {
        ChangeError(
            .notAllowed, key: key, "Flagboard was started read-only: nothing can be changed.",
            remedy: "Start it without --read-only to make changes.")
    }

    static func reasonTooLong(_ key: FlagKeyPath, _ length: Int) -> ChangeError {
        ChangeError(
            .reasonTooLong, key: key,
            "The reason has \(length) characters; at most \(Change.longestReason) are kept.",
            remedy: "Shorten it, then save again; nothing was changed.")
    }

    /// There is no row of this number in the history, or none to be seen.
    static func unknownChange(_ id: HistoryRecord.ID, _ key: FlagKeyPath? = nil) -> ChangeError {
        ChangeError(
            .unknown, key: key, "There is no change \(id).",
            remedy: "Look for it in the history; the number is the one that its page is named by.")
    }

    /// A row that tells of no change of a flag.
    static func noChange(_ record: HistoryRecord) -> ChangeError {
        ChangeError(
            .invalid, key: record.event.key,
            "Row \(record.id) of the history tells of no change that was made, so it can be given no reason.",
            remedy: "Give the reason to the change itself; nothing was changed.")
    }

    static func reasonMissing(_ id: HistoryRecord.ID, _ key: FlagKeyPath) -> ChangeError {
        let sentence = "The reason for change \(id) is empty."
        return ChangeError(
            .invalid, key: key, sentence, remedy: "Say why it was made, then save again; nothing was changed.",
            problems: ["reason": sentence])
    }

    static func keyReused(_ key: FlagKeyPath?) -> ChangeError {
        ChangeError(
            .keyReused, key: key, "The idempotency key stands for another request, which was answered before.",
            remedy: "Send each new request with a key of its own; nothing was changed.")
    }

    static func endlessEdits(_ key: FlagKeyPath?) -> ChangeError {
        ChangeError(
            .unavailable, key: key, "\(key.map { "\($0): " } ?? "")another program keeps changing the file.",
            remedy: "Nothing was changed. Try again when that program is done.")
    }

    static func conflict(_ key: FlagKeyPath, _ conflict: ChangeConflict) -> ChangeError {
        ChangeError(
            .conflict(conflict), key: key,
            "\(key) was changed in the meantime: it is now "
                + "\(conflict.theirs.value?.briefDescription ?? "without a value in this provider").",
            remedy: "Look at the value it has now; save again to replace it with yours.")
    }

    /// That something was changed after changes were worked out.
    static let outdated = ChangeError(
        .unavailable, "Something else was changed while these changes were worked out.",
        remedy: "Nothing was changed by them. Look at them again, then apply them.")

    /// What meets in a conflict; `nil` for any other refusal.
    public var conflict: ChangeConflict? {
        if case .conflict(let conflict) = reason { conflict } else { nil }
    }
}
