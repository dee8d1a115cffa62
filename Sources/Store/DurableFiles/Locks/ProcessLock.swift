import Foundation
import Synchronization

/// A lock that one process holds for as long as it lives, so that only one writes a file.
///
/// The lock is on a file of its own beside it: git and editors replace the file, and a lock on it would go with it.
package final class ProcessLock: Sendable {
    /// The file that is locked.
    package let url: URL
    /// The file that the lock is on.
    private let place: URL
    private let state: Mutex<State>

    private struct State {
        var file: OpenFile
        /// What a second process is told.
        var holder: String
    }

    /// Takes the lock of a file, or says which process holds it.
    ///
    /// - Parameter url: The file. The one with the lock is made where it is missing, and left in place afterwards.
    package init(of url: URL) throws(LockError) {
        self.url = url
        place = Self.url(of: url)
        let holder = LockHolder.own()
        // What a process wrote that held the lock before must not be taken for this one's.
        state = Mutex(State(file: try Self.take(url, holder), holder: holder))
    }

    /// Writes into the lock file what a second process shall be told, such as the address that this one listens on.
    package func describe(_ holder: String) throws(LockError) {
        try state.withLock { state throws(LockError) in
            state.holder = holder
            try LockError.unlessFailing { () throws(FileAccessError) in try Self.write(holder, state.file) }
        }
    }

    deinit {
        // What another program finds that takes the lock without a word of its own.
        _ = Result { () throws(FileAccessError) in try state.withLock(\.file).truncate(to: 0) }
    }

    /// Takes the lock anew where its file was removed: another process could else make a new one and take that.
    package func renew() throws(LockError) {
        try state.withLock { state throws(LockError) in
            let isInPlace = try LockError.unlessFailing { () throws(FileAccessError) in
                try state.file.signature().identity == AtomicFile.signature(of: place)?.identity
            }
            if !isInPlace { state.file = try Self.take(url, state.holder) }
        }
    }

    /// The file with the lock of another.
    package static func url(of url: URL) -> URL {
        url.deletingLastPathComponent().appending(path: ".\(url.lastPathComponent).lock")
    }

    private static func take(_ url: URL, _ holder: String) throws(LockError) -> OpenFile {
        let (file, other) = try LockError.unlessFailing { () throws(FileAccessError) in
            let file = try OpenFile(Self.url(of: url), for: .making)
            guard try file.tryLock() else { return (file, Data?(try file.content(upTo: 512))) }
            try write(holder, file)
            return (file, nil)
        }
        guard let other else { return file }
        throw .held(path: url.path, holder: LockHolder.text(of: other), otherName: url.path)
    }

    private static func write(_ holder: String, _ file: OpenFile) throws(FileAccessError) {
        try file.truncate(to: 0)
        try file.write(Data(holder.utf8), at: 0)
    }
}
