import Foundation
import Synchronization

/// What the processes of one user serve, told to one another in a folder of their own.
///
/// A file that has two names (hard links) has a lock beside each of them, so that two processes could serve it; a change of
/// either would part the names. Each process has an entry there, locked for as long as it lives, with the paths of its files:
/// what they lead to is looked up when another one starts, since every change makes another file of a path.
package final class ServerRegistry: Sendable {
    private struct State {
        var entry: OpenFile
        var url: URL
        var paths: [String]
        var holder: String
        /// Whether the process answers at the socket.
        var isAnswering = false
        /// Whether the operator knows that there is no entry any more.
        var isLost = false
    }

    /// Where the processes of this user tell: for all of them the same, whatever their environment.
    package static var sharedFolder: URL { URL(filePath: "/tmp/flagboard-\(geteuid())") }

    /// Where the process may answer the user's other programs: a socket in the folder, which no other user can enter.
    package let socket: URL
    private let folder: URL
    private let state: Mutex<State>

    /// Tells the others of some files.
    ///
    /// - Parameters:
    ///   - folder: Where the others look; made where it is missing.
    ///   - log: Takes why the others can't be told; they are found out by the locks beside the files then, but for other
    ///     names of the same file.
    /// - Returns: The entry, to be kept for as long as the files are served; `nil` where there could be none.
    package static func claim(
        _ files: [URL], in folder: URL, log: (String) -> Void
    ) throws(LockError) -> ServerRegistry? {
        do {
            return try take(in: folder) { () throws(LockError) in try ServerRegistry(files, in: folder) }
        } catch {
            guard case .unusable(let path, let cause) = error else { throw error }
            log(loss(path, cause))
            return nil
        }
    }

    private init(_ files: [URL], in folder: URL) throws(LockError) {
        self.folder = folder
        socket = folder.appending(path: UUID().uuidString + Self.socketSuffix)
        let paths = files.map { $0.path(percentEncoded: false) }
        try Self.check(paths, in: folder)
        let holder = LockHolder.own()
        let (entry, url) = try Self.makeEntry(Entry(paths: paths, holder: holder), in: folder)
        state = Mutex(State(entry: entry, url: url, paths: paths, holder: holder))
    }

    deinit {
        unlink(state.withLock(\.url).path)
        unlink(socket.path)
    }

    /// Tells the others what a second process shall be told, such as the address that this one listens on.
    package func describe(_ holder: String, isAnswering: Bool, log: (String) -> Void) {
        state.withLock { state in
            (state.holder, state.isAnswering) = (holder, isAnswering)
            do throws(FileAccessError) {
                try Self.write(entry(of: state), state.entry)
            } catch {
                log(Self.loss(error.path, error.clause))
            }
        }
    }

    /// Tells the others of other files from now on.
    ///
    /// - Throws: Where another process serves one of them by another name; the others are told what they were before then.
    package func serve(_ files: [URL], log: (String) -> Void) throws(LockError) {
        let paths = files.map { $0.path(percentEncoded: false) }
        try state.withLock { state throws(LockError) in
            do throws(LockError) {
                try Self.take(in: folder) { () throws(LockError) in
                    try Self.check(paths, in: folder, besides: state.url)
                    state.paths = paths
                    try LockError.unlessFailing { () throws(FileAccessError) in
                        try Self.write(entry(of: state), state.entry)
                    }
                }
            } catch {
                guard case .unusable(let path, let cause) = error else { throw error }
                log(Self.loss(path, cause))
            }
        }
    }

    /// Makes the entry anew where a program that tidies up has removed it.
    package func renew(log: (String) -> Void) {
        state.withLock { state in
            do throws(LockError) {
                let links = try LockError.unlessFailing { () throws(FileAccessError) in
                    try state.entry.signature().links
                }
                guard links == 0 else { return }
                // The socket went with it, and is not made anew.
                if AtomicFile.look(at: socket) == nil { state.isAnswering = false }
                let told = entry(of: state)
                (state.entry, state.url) = try Self.take(in: folder) { () throws(LockError) in
                    try Self.makeEntry(told, in: folder)
                }
                state.isLost = false
            } catch {
                if !state.isLost, case .unusable(let path, let cause) = error { log(Self.loss(path, cause)) }
                state.isLost = true
            }
        }
    }

    private func entry(of state: State) -> Entry {
        Entry(paths: state.paths, holder: state.holder, socket: state.isAnswering ? socket.lastPathComponent : nil)
    }

    private static func loss(_ path: String, _ cause: String) -> String {
        "\(path): \(cause): a second Flagboard on another hard link of a file would not be noticed"
    }
}
