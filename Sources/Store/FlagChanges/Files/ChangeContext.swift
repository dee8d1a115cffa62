import Dispatch
import FlagHistory
import Foundation
import Synchronization

/// What a change service has for as long as it lives.
struct ChangeContext: Sendable {
    let history: HistoryStore
    let options: ChangeServiceOptions
    private let place: FilePlace
    /// What makes each ``FilesVersion``.
    let versionSecret = FilesVersion.secret()
    /// The thread that waits for the disk, so that no other has to.
    private let disk = DispatchQueue(label: "flagboard.changes")

    init(files: FlagFiles, history: HistoryStore, options: ChangeServiceOptions, exchanges: Set<URL>) {
        self.history = history
        self.options = options
        place = FilePlace(files, exchanges)
    }

    /// The files, where links led when they were last looked at; they stay there while a round is under way.
    var files: FlagFiles { place.state.withLock(\.files) }

    /// The files whose file system can swap them with another at one stroke.
    var exchanges: Set<URL> { place.state.withLock(\.exchanges) }

    /// Takes up where links lead now.
    func move(to files: FlagFiles) { place.state.withLock { $0.files = files } }

    /// Takes up which files can be swapped.
    func setExchanges(_ exchanges: Set<URL>) { place.state.withLock { $0.exchanges = exchanges } }

    /// Runs what may wait for the disk, while others are answered.
    func onDisk<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            disk.async { continuation.resume(returning: body()) }
        }
    }
}

/// Where the files are, which a link may change.
private final class FilePlace: Sendable {
    let state: Mutex<(files: FlagFiles, exchanges: Set<URL>)>

    init(_ files: FlagFiles, _ exchanges: Set<URL>) { state = Mutex((files, exchanges)) }
}
