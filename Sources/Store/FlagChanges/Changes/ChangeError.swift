import DurableFiles
import FeatureFlags
import FlagHistory

/// A refused change or read: the flag, the problem and the remedy.
public struct ChangeError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of refusal; each has one HTTP status.
    public enum Reason: Hashable, Sendable {
        /// The author may not do this, or it isn't possible here.
        case notAllowed
        /// The flag doesn't exist, or is hidden.
        case unknown
        /// The value has changed since the edit began.
        case conflict(ChangeConflict)
        /// The text is no value of the flag, or the flag can't be changed this way.
        case invalid
        /// The reason is longer than the history keeps.
        case reasonTooLong
        /// The author used the idempotency key for other changes.
        case keyReused
        /// The flag is locked.
        case locked
        /// A file can't be read or written now.
        case unavailable
        /// There is no room to store the change.
        case full
    }

    /// The kind of refusal.
    public let reason: Reason
    /// The flag; `nil` if the refusal concerns none.
    public let key: FlagKeyPath?
    /// The problem, as a sentence that names flag and cause.
    public let description: String
    /// The remedy, as a sentence.
    public let remedy: String
    /// The problem with each field of a definition, by the field's name in the manifest.
    public let problems: [String: String]
    /// True if a running app refused the change or didn't answer, so that no file is at fault.
    let isOfApp: Bool

    init(
        _ reason: Reason, key: FlagKeyPath? = nil, _ description: String, remedy: String,
        problems: [String: String] = [:], isOfApp: Bool = false
    ) {
        self.isOfApp = isOfApp
        self.reason = reason
        self.key = key
        self.description = description
        self.remedy = remedy
        self.problems = problems
    }
}

extension ChangeError {
    init(storing error: HistoryStoreError) {
        self.init(
            error.isFull ? .full : .unavailable, error.description,
            remedy: error.isLost
                ? "Nothing was changed."
                : "Nothing was changed. Make the history writable (room, rights, no other program on it), then try again."
        )
    }

    init(writing error: FileAccessError) {
        // The description already names the remedy.
        self.init(
            error.isFull ? .full : .unavailable, error.description,
            remedy: "Nothing was changed. Try again when that is done.")
    }

    /// True for attempts that are recorded.
    var isDenial: Bool { reason == .locked || reason == .notAllowed }

    package static func unknown(_ key: FlagKeyPath) -> ChangeError {
        ChangeError(
            .unknown, key: key, "There is no flag \(key).",
            remedy: "Look for it in the list of flags; its key path must be written exactly.")
    }

    package func suggesting(_ likely: FlagKeyPath) -> ChangeError {
        ChangeError(reason, key: key, description, remedy: "Did you mean \(likely)? \(remedy)", problems: problems)
    }

    /// Refuses a missing flag, unless an unreadable file may hold it: clients must not think it deleted.
    static func absence(of key: FlagKeyPath, unreadable: [FileProblem]) -> ChangeError {
        guard let fileProblem = unreadable.first else { return .unknown(key) }
        return ChangeError(
            .unavailable, key: key, "It can't be told now whether there is a flag \(key). \(fileProblem.description)",
            remedy: "Ask again as soon as that file can be read.")
    }

    /// Refuses a value of a locked flag, which `server` defines if this is its replica.
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

    static func emptyPart(_ key: FlagKeyPath) -> ChangeError {
        ChangeError(
            .invalid, key: key, "\(key) can't be the key path of a flag: a part of it is empty.",
            remedy: "Write the parts with one slash between them, such as checkout/new_button.",
            problems: ["key": "A part of the key path is empty; write it with single slashes between its parts."])
    }

    static func reachesLocked(_ key: FlagKeyPath) -> ChangeError {
        ChangeError(
            .locked, key: key, "\(key) can't be changed: with it would change a locked flag.",
            remedy: "Change the flags one by one.")
    }

    static func definedInCode(_ key: FlagKeyPath) -> ChangeError {
        ChangeError(
            .notAllowed, key: key,
            "\(key) is defined by the code of the app that serves it, so its definition can't be changed here.",
            remedy: "Change the declaration in the code; the app brings it along when it starts.")
    }

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

    static func lockedDefinition(_ key: FlagKeyPath) -> ChangeError {
        ChangeError(
            .locked, key: key, "\(key) is locked: it can't be renamed or deleted, and what its values can be stays.",
            remedy: "Unlock it first; nothing was changed.")
    }

    /// Refuses a new key path, always in the same words, to reveal no hidden flags.
    static func unusable(_ key: FlagKeyPath) -> ChangeError {
        ChangeError(
            .invalid, key: key, "\(key) can't be the key path of another flag.",
            remedy: "Choose another one: this one is in use, reserved, or lies inside or around one that is.",
            problems: [
                "key": "This key path is in use, reserved, or lies inside or around one that is; choose another."
            ])
    }

    static func breaking(_ key: FlagKeyPath, _ values: [String]) -> ChangeError {
        let list = values.joined(separator: "; ")
        return ChangeError(
            .invalid, key: key, "With this definition, stored values of \(key) would be broken: \(list).",
            remedy: "Change those values first, or confirm that they may be broken; nothing was changed.",
            problems: ["breaksValues": "Stored values would be broken: \(list)."])
    }

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

    static func unknownChange(_ id: HistoryRecord.ID, _ key: FlagKeyPath? = nil) -> ChangeError {
        ChangeError(
            .unknown, key: key, "There is no change \(id).",
            remedy: "Look for it in the history; the number is the one that its page is named by.")
    }

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

    static let outdated = ChangeError(
        .unavailable, "Something else was changed while these changes were worked out.",
        remedy: "Nothing was changed by them. Look at them again, then apply them.")

    package var conflict: ChangeConflict? {
        if case .conflict(let conflict) = reason { conflict } else { nil }
    }
}
