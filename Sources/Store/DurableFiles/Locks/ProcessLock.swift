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

/// What the holder of a lock writes into its file, for a process that finds the lock taken.
package enum LockHolder {
    private static let word = "process "

    /// What this process writes.
    ///
    /// - Parameter address: Where it can be reached; `nil` where that is not known.
    package static func own(at address: String? = nil) -> String {
        let process = word + "\(ProcessInfo.processInfo.processIdentifier)"
        return address.map { "\($0) (\(process))" } ?? process
    }

    /// What there is to say of the holder of a lock.
    ///
    /// Other programs may lock the file too, and leave what a server wrote there that was ended: so it is the holder's own word
    /// only where its process runs, as far as it can be seen from here.
    static func text(of content: Data) -> String {
        let told = String(decoding: content, as: UTF8.self)
        guard !told.isEmpty else { return "another process" }
        guard let number = number(in: told), kill(number, 0) != 0, errno == ESRCH else { return told }
        return
            "another program, which left no name (the last holder, \(told), has ended)"
    }

    private static func number(in text: String) -> pid_t? {
        text.ranges(of: word).last.flatMap { range in
            pid_t(text[range.upperBound...].prefix { $0.isASCII && $0.isNumber })
        }
    }
}

/// Why a lock is not held.
package enum LockError: Error {
    /// Another process holds it.
    case held(path: String, holder: String, otherName: String)
    /// The file or folder with the lock can't be used.
    case unusable(path: String, cause: String)

    /// Runs a body whose failure makes the lock unusable.
    static func unlessFailing<Value>(
        _ body: () throws(FileAccessError) -> Value
    ) throws(LockError) -> Value {
        do {
            return try body()
        } catch {
            throw .unusable(path: error.path, cause: error.clause)
        }
    }
}

/// Has the writers of a folder's files take turns, in this process and in others.
///
/// The lock is on the folder itself, so that nothing is left behind, and held for no longer than a file takes to be read,
/// written and swapped. Programs that know nothing of it are found out by the swap (``FileReplacement``).
package enum FolderLock {
    /// How long a turn is waited for.
    package static let patience: TimeInterval = 10

    /// Runs a body while no other writer has a turn in a file's folder.
    ///
    /// - Throws: Where the folder can't be opened, or another program does not end its turn; the body has not run then.
    package static func take<Result>(beside url: URL, _ body: () -> Result) throws(FileAccessError) -> Result {
        // The lock goes with the folder that is open.
        let folder = try OpenFile(url.deletingLastPathComponent(), for: .folder)
        let deadline = Date(timeIntervalSinceNow: patience)
        while try !folder.tryLock() {
            guard Date() < deadline else {
                throw FileAccessError(.folderLocked, path: url.path, action: "replaced")
            }
            usleep(500)
        }
        return withExtendedLifetime(folder, body)
    }
}
