import FlagHistory
import Foundation

/// What a change service has for as long as it lives.
struct ChangeContext: Sendable {
    let files: FlagFiles
    let history: HistoryStore
    let options: ChangeService.Options
    /// The files whose file system can swap them with another at one stroke.
    let exchanges: Set<URL>
    /// What makes each ``FilesVersion``.
    let versionSecret = FilesVersion.secret()
}
