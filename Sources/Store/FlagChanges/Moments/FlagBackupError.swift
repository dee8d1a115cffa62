import Foundation

/// Why there is no backup.
///
/// Nothing was left at its place, and the files that were to be copied are as they were.
public struct FlagBackupError: Error, Hashable, Sendable, CustomStringConvertible {
    private enum Cause: Hashable {
        case taken(String)
        case own(String, String)
        case changing(String)
        case interrupted(String)
        case unsound(String)
        case altered(String)
    }

    private let cause: Cause

    static func taken(_ folder: URL) -> FlagBackupError { FlagBackupError(cause: .taken(path(folder))) }
    static func own(_ folder: URL, _ use: String) -> FlagBackupError {
        FlagBackupError(cause: .own(path(folder), use))
    }
    static func changing(_ file: URL) -> FlagBackupError { FlagBackupError(cause: .changing(path(file))) }
    static func interrupted(_ file: String) -> FlagBackupError { FlagBackupError(cause: .interrupted(file)) }
    static func unsound(_ reason: String) -> FlagBackupError { FlagBackupError(cause: .unsound(reason)) }
    static func altered(_ file: String) -> FlagBackupError { FlagBackupError(cause: .altered(file)) }

    private static func path(_ url: URL) -> String { url.path(percentEncoded: false) }

    /// What is wrong, and what to do.
    public var description: String {
        switch cause {
        case .taken(let folder):
            "\(folder) is there already and is no empty folder: nothing was copied. Name a new folder for each backup."
        case .own(let folder, let use):
            "\(folder) is \(use), which Flagboard works with: nothing was copied. Name another folder."
        case .changing(let file):
            "\(file) was edited again and again while it was copied: no backup was made. Try again when that is done."
        case .interrupted(let file):
            "A change of \(file) was interrupted: no backup was made. Start flagboard serve on the file, which decides the "
                + "change, then try again."
        case .unsound(let reason):
            "The history is not as Flagboard wrote it, so no backup was made: \(reason). Keep the backups that there are, and "
                + "see what flagboard history verify says."
        case .altered(let file):
            "What was read back of the copy \(file) is not what was written: no backup was made. Check the disk, or name a "
                + "folder on another one."
        }
    }
}
