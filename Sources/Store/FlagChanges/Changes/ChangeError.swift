import DurableFiles
import FeatureFlags
import FlagHistory
import Foundation

/// A refused change or read: the flag, the problem and the remedy.
public struct ChangeError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of refusal; each has one HTTP status.
    public enum Reason: Hashable, Sendable {
        /// The author may not do this, or it isn't possible here.
        case notAllowed
        /// The flag doesn't exist, or is hidden.
        case unknown
        /// The provider doesn't exist.
        case unknownProvider
        /// The value has changed since the edit began.
        case conflict(ChangeConflict)
        /// The text is no value of the flag, or the flag can't be changed this way.
        case invalid
        /// The reason is longer than the history keeps.
        case reasonTooLong
        /// The environment requires a reason, and none is given.
        case reasonRequired
        /// The change isn't confirmed by the environment's name.
        case confirmationRequired
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
    /// The flag; `nil` for none.
    public let key: FlagKeyPath?
    /// The problem, as a sentence that names flag and cause.
    public let description: String
    /// The remedy, as a sentence.
    public let remedy: String
    /// The problem with each field of a definition, by the field's name in the manifest.
    public let problems: [String: String]
    /// True if a running app refused the change or didn't answer, so that no file is at fault.
    let isOfApp: Bool
    /// True if the history is damaged, which only a restored one ends.
    let isOfDamage: Bool

    init(
        _ reason: Reason, key: FlagKeyPath? = nil, _ description: String, remedy: String,
        problems: [String: String] = [:], isOfApp: Bool = false,
        isOfDamage: Bool = false
    ) {
        self.isOfApp = isOfApp
        self.isOfDamage = isOfDamage
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
            // The description of a damaged or lost history names the remedy.
            remedy: error.isLost || error.isDamage
                ? "Nothing was changed."
                : "Nothing was changed. Make the history writable (disk space, permissions, no other program using "
                    + "it), then try again.",
            isOfDamage: error.isDamage)
    }

    init(writing error: FileAccessError) {
        // The description already names the remedy.
        self.init(
            error.isFull ? .full : .unavailable, error.description,
            remedy: "Nothing was changed. Fix this, then try again.")
    }

    /// True for attempts that are recorded.
    var isDenial: Bool { reason == .locked || reason == .notAllowed || reason == .unknownProvider }

    package static func unknown(_ key: FlagKeyPath) -> ChangeError {
        ChangeError(
            .unknown, key: key, "Flag “\(key)” not found.",
            remedy: "Check the key path or search all flags.")
    }

    package func suggesting(_ likely: FlagKeyPath) -> ChangeError {
        ChangeError(reason, key: key, description, remedy: "Did you mean \(likely)? \(remedy)", problems: problems)
    }

    /// Refuses a missing flag, unless an unreadable file may hold it: clients must not think it deleted.
    static func absence(of key: FlagKeyPath, unreadable: [FileProblem]) -> ChangeError {
        guard let fileProblem = unreadable.first else { return .unknown(key) }
        return ChangeError(
            .unavailable, key: key, "Can't check whether flag “\(key)” exists. \(fileProblem.description)",
            remedy: "Try again when the file can be read.")
    }

    /// Refuses a value of a locked flag, which `server` defines if this is its replica.
    static func locked(_ key: FlagKeyPath, manifest: String, at server: String? = nil) -> ChangeError {
        ChangeError(
            .locked, key: key, "\(key) is locked.",
            remedy: server.map { "An admin can unlock it at \($0). This server is a replica." }
                ?? "An admin can unlock it on its page, or by removing isLocked from \(manifest).")
    }

    static func invalid(_ key: FlagKeyPath, _ problem: FlagValueError) -> ChangeError {
        ChangeError(
            .invalid, key: key, problem.advice.uppercasedFirst.asSentence, remedy: "Nothing was changed.")
    }

    static func unread(_ key: FlagKeyPath, from provider: String) -> ChangeError {
        ChangeError(
            .invalid, key: key, "The app doesn't read \(key) from \(provider), so a value there has no effect.",
            remedy: "Choose another provider. The flag's declaration in code lists the providers to skip.")
    }

    static func group(_ key: FlagKeyPath, _ problem: FlagValueError) -> ChangeError {
        ChangeError(
            .invalid, key: key, "Can't change \(key): \(problem.description.asSentence)",
            remedy: "Fix the file by hand. Nothing was changed.")
    }

    static func emptyPart(_ key: FlagKeyPath) -> ChangeError {
        ChangeError(
            .invalid, key: key, "“\(key)” is not a valid key path: part of it is empty.",
            remedy: "Separate the parts with single slashes. Example: checkout/new_button",
            problems: ["key": "Part of the key path is empty. Separate the parts with single slashes."])
    }

    static func reachesLocked(_ key: FlagKeyPath) -> ChangeError {
        ChangeError(
            .locked, key: key, "Can't change \(key): it contains a locked flag.",
            remedy: "Change the other flags one by one.")
    }

    static func definedInCode(_ key: FlagKeyPath) -> ChangeError {
        ChangeError(
            .notAllowed, key: key,
            "\(key) is defined in the app's code, so its definition can't be changed here.",
            remedy: "Change the declaration in the code. The change applies when the app restarts.")
    }

    static func defined(_ key: FlagKeyPath, at server: String) -> ChangeError {
        ChangeError(
            .notAllowed, key: key, "\(key) is defined at \(server). This server is a replica.",
            remedy: "Change its definition or its lock there.")
    }

    static func role(_ author: ChangeAuthor, _ change: Change) -> ChangeError {
        let deed =
            switch change.action {
            case .value: "change"
            case .definition(let change): change.isOfLock ? "lock or unlock" : "change the definition of"
            case .note: "add reasons to changes to"
            }
        return ChangeError(
            .notAllowed, key: change.key,
            "\(author.name.shortened(to: 100)) has the role \(author.role.rawValue) and can't \(deed) \(change.key).",
            remedy: change.action.isAboutDefinition ? "Ask an admin to do it." : "Ask an editor or an admin to do it.")
    }

    static func lockedDefinition(_ key: FlagKeyPath) -> ChangeError {
        ChangeError(
            .locked, key: key,
            "\(key) is locked, so it can't be renamed or deleted, and its allowed values can't be "
                + "changed.",
            remedy: "Unlock it first. Nothing was changed.")
    }

    /// Refuses a new key path, always in the same words, to reveal no hidden flags.
    static func unusable(_ key: FlagKeyPath) -> ChangeError {
        let remedy = "is already defined, in use or reserved, or it overlaps with one that is. Choose another one."
        return ChangeError(
            .invalid, key: key, "\(key) can't be used as a new key path.", remedy: "It \(remedy)",
            problems: ["key": "This key path \(remedy)"])
    }

    static func breaking(_ key: FlagKeyPath, _ values: [String]) -> ChangeError {
        let list = values.joined(separator: "; ")
        return ChangeError(
            .invalid, key: key, "This definition makes stored values of \(key) invalid: \(list).",
            remedy: "Change these values first, or confirm that they can become invalid. Nothing was changed.",
            problems: ["breaksValues": "Stored values would become invalid: \(list)."])
    }

    static func changedDefinition(_ key: FlagKeyPath, _ conflict: ChangeConflict) -> ChangeError {
        ChangeError(
            .conflict(conflict), key: key,
            "The definition of \(key) changed while you were editing.",
            remedy: "Check the current definition. Save again to replace it with yours.")
    }

    static func readOnly(_ key: FlagKeyPath? = nil) -> ChangeError {
        ChangeError(
            .notAllowed, key: key, "Flagboard is in read-only mode. Changes are turned off.",
            remedy: "Restart it without --read-only to make changes.")
    }

    static func readOnlyVolume(of file: URL, _ key: FlagKeyPath? = nil) -> ChangeError {
        ChangeError(
            .notAllowed, key: key, "The volume of \(file.lastPathComponent) is mounted read-only.",
            remedy: "Mount it writable, then restart Flagboard to make changes.")
    }

    static func reasonTooLong(_ key: FlagKeyPath, _ length: Int) -> ChangeError {
        ChangeError(
            .reasonTooLong, key: key,
            "The reason has \(length) characters. The limit is \(Change.longestReason).",
            remedy: "Shorten it and save again. Nothing was changed.")
    }

    /// Refuses a change without a reason, also for a missing confirmation, so that both come with the next try.
    static func reasonRequired(
        _ key: FlagKeyPath, in environment: String, isConfirmed: Bool
    ) -> ChangeError {
        let sentence = "\(environment) requires a reason."
        let confirmation = isConfirmed ? "" : " Confirm with \(confirmation(environment)) as well."
        return ChangeError(
            .reasonRequired, key: key, sentence,
            remedy: "Add a reason (--reason WHY).\(confirmation) Nothing was changed.",
            problems: ["reason": sentence])
    }

    static func confirmationRequired(_ key: FlagKeyPath, in environment: String) -> ChangeError {
        let sentence = "Changes in \(environment) must be confirmed."
        return ChangeError(
            .confirmationRequired, key: key, sentence,
            remedy: "Send \(confirmation(environment)). Nothing was changed.", problems: ["confirm": sentence])
    }

    private static func confirmation(_ environment: String) -> String {
        let isPlain = environment.unicodeScalars.allSatisfy {
            CharacterSet.alphanumerics.contains($0) || "-_.".unicodeScalars.contains($0)
        }
        let argument = isPlain ? environment : "'\(environment.replacing("'", with: "'\\''"))'"
        return "confirm=\(environment) (--confirm \(argument))"
    }

    static func unknownChange(_ id: HistoryRecord.ID, _ key: FlagKeyPath? = nil) -> ChangeError {
        ChangeError(
            .unknown, key: key, "Change \(id) not found.",
            remedy: "Check the number in the history.")
    }

    static func noChange(_ record: HistoryRecord) -> ChangeError {
        ChangeError(
            .invalid, key: record.event.key,
            "Row \(record.id) of the history isn't a change, so you can't add a reason to it.",
            remedy: "Add the reason to the change itself. Nothing was changed.")
    }

    static func reasonMissing(_ id: HistoryRecord.ID, _ key: FlagKeyPath) -> ChangeError {
        let sentence = "Enter a reason for change \(id)."
        return ChangeError(
            .invalid, key: key, sentence, remedy: "Enter a reason and save again. Nothing was changed.",
            problems: ["reason": sentence])
    }

    static func keyReused(_ key: FlagKeyPath?) -> ChangeError {
        ChangeError(
            .keyReused, key: key, "This Idempotency-Key was already used for a different request.",
            remedy: "Use a new key for each request. Nothing was changed.")
    }

    static func endlessEdits(_ key: FlagKeyPath?) -> ChangeError {
        ChangeError(
            .unavailable, key: key, "\(key.map { "\($0): another" } ?? "Another") program keeps changing the file.",
            remedy: "Nothing was changed. Try again when the other program is done.")
    }

    static func conflict(_ key: FlagKeyPath, _ conflict: ChangeConflict) -> ChangeError {
        ChangeError(
            .conflict(conflict), key: key,
            "\(key) changed in the meantime. "
                + (conflict.theirs.value.map { "Its value is now \($0.briefDescription)." }
                    ?? "It now has no value in this provider."),
            remedy: "Check the current value. Save again to replace it with yours.")
    }

    static let outdated = ChangeError(
        .unavailable, "Another change was made while this one was being prepared.",
        remedy: "Nothing was changed. Review the changes and apply them again.")

    package var conflict: ChangeConflict? {
        if case .conflict(let conflict) = reason { conflict } else { nil }
    }
}
