import Foundation
import Synchronization

/// The files that one user's processes serve, registered in a folder.
///
/// A file with two hard links has a lock beside each, so two processes could serve it, and a change would part the
/// links. Each process therefore keeps a locked entry with its paths. Others resolve them when they start, since every
/// change replaces a path's file.
package final class ServerRegistry: Sendable {
    /// The files of one process.
    package struct Files: Sendable {
        /// The locked files.
        let locked: [URL]
        /// The names of the main values file, by which the process is found even if it can't lock the file.
        let shown: [URL]
        let companions: Companions

        package init(locked: [URL], shown: [URL], companions: Companions) {
            (self.locked, self.shown, self.companions) = (locked, shown, companions)
        }

        fileprivate var paths: [String] { locked.map(ServerRegistry.path) }
    }

    /// The other files of a values file, wherever they are.
    package struct Companions: Hashable, Sendable {
        package let history, manifest, tokens: URL

        package init(history: URL, manifest: URL, tokens: URL) {
            (self.history, self.manifest, self.tokens) = (history, manifest, tokens)
        }

        init?(_ paths: [String]) {
            guard paths.count == 3 else { return nil }
            let urls = paths.map { URL(filePath: $0) }
            self.init(history: urls[0], manifest: urls[1], tokens: urls[2])
        }

        var paths: [String] { [history, manifest, tokens].map(ServerRegistry.path) }
    }

    private struct State {
        var entry: OpenFile
        var url: URL
        var files: Files
        var holder: String
        var isAnswering = false
        /// `true` once the loss of the entry is logged.
        var isLost = false
    }

    /// The folder of this user's processes, independent of the environment.
    package static var sharedFolder: URL { URL(filePath: "/tmp/flagboard-\(geteuid())") }

    package let socket: URL
    package var socketForApps: URL { Self.socketForApps(beside: socket) }
    private let folder: URL
    private let state: Mutex<State>

    /// Registers files.
    ///
    /// - Returns: The registration, to be kept while the files are served; `nil` on failure, which leaves hard links
    ///   unprotected.
    package static func claim(
        _ files: Files, in folder: URL, log: (String) -> Void
    ) throws(FileAccessError) -> ServerRegistry? {
        do {
            return try take(in: folder) { () throws(FileAccessError) in try ServerRegistry(files, in: folder) }
        } catch {
            guard error.holder == nil else { throw error }
            log(loss(error))
            return nil
        }
    }

    private init(_ files: Files, in folder: URL) throws(FileAccessError) {
        self.folder = folder
        socket = folder.appending(path: UUID().uuidString + Self.socketSuffix)
        try Self.check(files.paths, in: folder)
        let holder = LockHolder.own()
        let (entry, url) = try Self.makeEntry(Self.entry(of: files, holder, socket: nil), in: folder)
        state = Mutex(State(entry: entry, url: url, files: files, holder: holder))
    }

    deinit {
        unlink(state.withLock(\.url).path)
        unlink(socket.path)
        unlink(socketForApps.path)
    }

    package func describe(_ holder: String, isAnswering: Bool, log: (String) -> Void) {
        state.withLock { state in
            (state.holder, state.isAnswering) = (holder, isAnswering)
            do throws(FileAccessError) {
                // Readers of the entries hold the lock: they must not see half of it.
                try Self.take(in: folder) { () throws(FileAccessError) in
                    try Self.write(entry(of: state), state.entry)
                }
            } catch {
                log(Self.loss(error))
            }
        }
    }

    /// Replaces the registered files, or throws and changes nothing.
    package func serve(_ files: Files, log: (String) -> Void) throws(FileAccessError) {
        try state.withLock { state throws(FileAccessError) in
            do throws(FileAccessError) {
                try Self.take(in: folder) { () throws(FileAccessError) in
                    try Self.check(files.paths, in: folder, besides: state.url)
                    state.files = files
                    try Self.write(entry(of: state), state.entry)
                }
            } catch {
                guard error.holder == nil else { throw error }
                log(Self.loss(error))
            }
        }
    }

    /// Recreates an entry that a clean-up program removed.
    package func renew(log: (String) -> Void) {
        state.withLock { state in
            do throws(FileAccessError) {
                guard try state.entry.signature().links == 0 else { return }
                // The socket went too, and is not recreated.
                if AtomicFile.look(at: socket) == nil { state.isAnswering = false }
                let content = entry(of: state)
                (state.entry, state.url) = try Self.take(in: folder) { () throws(FileAccessError) in
                    try Self.makeEntry(content, in: folder)
                }
                state.isLost = false
            } catch {
                if !state.isLost { log(Self.loss(error)) }
                state.isLost = true
            }
        }
    }

    private func entry(of state: State) -> Entry {
        Self.entry(of: state.files, state.holder, socket: state.isAnswering ? socket.lastPathComponent : nil)
    }

    private static func entry(of files: Files, _ holder: String, socket: String?) -> Entry {
        Entry(
            paths: files.paths, shown: files.shown.map(path), companions: files.companions, holder: holder,
            socket: socket)
    }

    private static func loss(_ error: FileAccessError) -> String {
        "\(error.path): \(error.clause): a second server on another hard link of a served file won't be detected"
    }
}
