import Dispatch
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
    /// The thread that waits for the disk, so that no other has to.
    private let disk = DispatchQueue(label: "flagboard.changes")

    init(files: FlagFiles, history: HistoryStore, options: ChangeService.Options, exchanges: Set<URL>) {
        self.files = files
        self.history = history
        self.options = options
        self.exchanges = exchanges
    }

    /// Runs what may wait for the disk, while others are answered.
    func onDisk<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            disk.async { continuation.resume(returning: body()) }
        }
    }
}
