import FeatureFlags

/// Why a change, or a read, was refused: which flag, what is wrong, and what to do about it.
public struct ChangeRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    /// The sorts of refusal; each has one status in HTTP.
    public enum Reason: Hashable, Sendable {
        /// Nobody may do this here.
        case notAllowed
        /// There is no such flag (or none to be seen).
        case unknown
        /// The value has changed since the edit began; it is now `current`.
        case conflict(current: FlagValue?)
        /// The text is no value for the flag.
        case invalid
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

    init(_ reason: Reason, key: FlagKeyPath? = nil, _ description: String, remedy: String) {
        self.reason = reason
        self.key = key
        self.description = description
        self.remedy = remedy
    }
}

extension ChangeRefusal {
    /// Whether somebody asked for what nobody, or not they, may do: such attempts are recorded.
    var isDenial: Bool { reason == .locked || reason == .notAllowed }

    /// There is no flag of this key path, or none to be seen.
    public static func unknown(_ key: FlagKeyPath) -> ChangeRefusal {
        ChangeRefusal(
            .unknown, key: key, "There is no flag \(key).",
            remedy: "Look for it in the list of flags; its key path must be written exactly.")
    }

    static func locked(_ key: FlagKeyPath, manifest: String) -> ChangeRefusal {
        ChangeRefusal(
            .locked, key: key, "\(key) is locked: its value can't be changed here.",
            remedy: "Whoever keeps \(manifest) can lift the lock by removing isLocked from the flag's definition.")
    }

    static func invalid(_ key: FlagKeyPath, _ problem: FlagValueProblem) -> ChangeRefusal {
        ChangeRefusal(
            .invalid, key: key, "\(problem.description).",
            remedy: "Correct the value and save again; nothing was changed.")
    }

    static func group(_ key: FlagKeyPath, _ problem: FlagValueProblem) -> ChangeRefusal {
        ChangeRefusal(
            .invalid, key: key, "\(key) can't be changed: \(problem.description).",
            remedy: "Whoever keeps the file can correct it; nothing was changed.")
    }

    /// A flag that can't be changed because of another one inside it or around it.
    static func reachesLocked(_ key: FlagKeyPath) -> ChangeRefusal {
        ChangeRefusal(
            .locked, key: key, "\(key) can't be changed: with it would change a locked flag.",
            remedy: "Change the flags one by one.")
    }

    static func viewer(_ key: FlagKeyPath, _ name: String) -> ChangeRefusal {
        ChangeRefusal(
            .notAllowed, key: key, "\(key) can't be changed by \(name): the role viewer only reads.",
            remedy: "Ask an editor or an admin, or sign in with the token of one.")
    }

    static func readOnly(_ key: FlagKeyPath? = nil) -> ChangeRefusal {
        ChangeRefusal(
            .notAllowed, key: key, "Flagboard was started read-only: nothing can be changed.",
            remedy: "Start it without --read-only to make changes.")
    }
}
