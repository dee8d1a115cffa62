import Foundation
import Synchronization

/// A lock for the object's lifetime, so that only one process writes a file.
///
/// The lock is on a file beside it: git and editors replace the file itself, and its lock would go too.
package final class ProcessLock: Sendable {
    package let url: URL
    private let place: URL
    private let state: Mutex<State>

    private struct State {
        var file: OpenFile
        var holder: String
    }

    /// Takes the lock, or throws an error that names its holder; the lock file stays afterwards.
    package init(of url: URL) throws(FileAccessError) {
        self.url = url
        place = Self.url(of: url)
        let holder = LockHolder.own()
        // A previous holder's text must not be taken for this process's.
        state = Mutex(State(file: try Self.take(url, holder), holder: holder))
    }

    /// Writes text for other processes into the lock file, such as this one's address.
    package func describe(_ holder: String) throws(FileAccessError) {
        try state.withLock { state throws(FileAccessError) in
            state.holder = holder
            try Self.write(holder, state.file)
        }
    }

    deinit {
        // For a program that takes the lock without writing its own text.
        _ = Result { () throws(FileAccessError) in try state.withLock(\.file).truncate(to: 0) }
    }

    /// Takes the lock again if its file was removed, since another process could create and lock a new one.
    package func renew() throws(FileAccessError) {
        try state.withLock { state throws(FileAccessError) in
            let isInPlace = try state.file.signature().identity == AtomicFile.signature(of: place)?.identity
            if !isInPlace { state.file = try Self.take(url, state.holder) }
        }
    }

    package static func url(of url: URL) -> URL {
        url.deletingLastPathComponent().appending(path: ".\(url.lastPathComponent).lock")
    }

    /// Names another file in the refusal of a lock, if the same process has locked that file too.
    package static func naming(_ url: URL, in error: FileAccessError) -> FileAccessError {
        let content = Result { () throws(FileAccessError) in
            try OpenFile(Self.url(of: url), for: .reading).content(upTo: 512)
        }
        guard let holder = error.holder, case .success(let content) = content,
            LockHolder.text(of: content) == holder.name
        else { return error }
        return FileAccessError(.held(by: holder.name, as: url.path), path: url.path, action: error.action)
    }

    private static func take(_ url: URL, _ holder: String) throws(FileAccessError) -> OpenFile {
        let file = try OpenFile(Self.url(of: url), for: .making)
        guard try file.tryLock() else {
            let other = LockHolder.text(of: try file.content(upTo: 512))
            throw FileAccessError(.held(by: other, as: url.path), path: url.path, action: "lock")
        }
        try write(holder, file)
        return file
    }

    private static func write(_ holder: String, _ file: OpenFile) throws(FileAccessError) {
        try file.truncate(to: 0)
        try file.write(Data(holder.utf8), at: 0)
    }
}

package enum LockHolder {
    private static let word = "process "

    package static func own(at address: String? = nil) -> String {
        let process = word + "\(ProcessInfo.processInfo.processIdentifier)"
        return address.map { "\($0) (\(process))" } ?? process
    }

    /// Describes the holder from a lock file's content.
    ///
    /// The text counts only while its process seems to run: a program that writes none may hold the lock, and the text
    /// may be a dead server's.
    static func text(of content: Data) -> String {
        let told = String(decoding: content, as: UTF8.self)
        guard !told.isEmpty else { return "another process" }
        guard let number = number(in: told), kill(number, 0) != 0, errno == ESRCH else { return told }
        return
            "an unidentified program (the last known holder, \(told), has ended)"
    }

    private static func number(in text: String) -> pid_t? {
        text.ranges(of: word).last.flatMap { range in
            pid_t(text[range.upperBound...].prefix { $0.isASCII && $0.isNumber })
        }
    }
}

/// Turns among the writers of a folder's files, in all processes.
///
/// The lock is on the folder itself, so nothing is left behind, and lasts only while a file is read, written and
/// swapped. The swap detects programs that ignore it (``FileReplacement``).
package enum FolderLock {
    /// In seconds.
    package static let patience: TimeInterval = 10

    /// Runs a body in a turn, or throws without running it.
    package static func take<Result>(beside url: URL, _ body: () -> Result) throws(FileAccessError) -> Result {
        // Closing the folder releases the lock.
        let folder = try OpenFile(url.deletingLastPathComponent(), for: .folder)
        let deadline = Date(timeIntervalSinceNow: patience)
        while try !folder.tryLock() {
            guard Date() < deadline else {
                throw FileAccessError(.folderLocked, path: url.path, action: "replace")
            }
            usleep(500)
        }
        return withExtendedLifetime(folder, body)
    }
}
