import DurableFiles
import Foundation

extension ProcessLock {
    /// Takes the locks of everything that is to be written, or none, and tells the user's other processes of them.
    ///
    /// Where a folder must not be written, nothing in it can be replaced, so there is nothing to lock; the main values
    /// file has to be locked all the same, unless no change is allowed.
    static func all(
        for files: FlagFiles, _ options: ChangeServiceOptions
    ) throws(ChangeServiceStartError) -> ([ProcessLock], ServerRegistry?) {
        try ChangeServiceStartError.unlessLocked { () throws(LockError) in
            let locks = try lacking([], for: files, options)
            let entry = try ServerRegistry.claim(locks.map(\.url), in: options.servedFolder, log: options.log)
            return (locks, entry)
        }
    }

    /// Takes the locks that are not held yet of everything that is to be written, or none.
    static func lacking(
        _ held: [ProcessLock], for files: FlagFiles, _ options: ChangeServiceOptions
    ) throws(LockError) -> [ProcessLock] {
        let lacking = files.exclusive.filter { url in
            let isWritable = access(url.deletingLastPathComponent().path(percentEncoded: false), W_OK) == 0
            return (isWritable || (url == files.values && !options.isReadOnly)) && !held.contains { $0.url == url }
        }
        return try lacking.map { (url) throws(LockError) in try ProcessLock(of: url) }
    }
}

extension ChangeServiceStartError {
    /// Runs a body that needs locks which another process may have.
    static func unlessLocked<Value>(
        _ body: () throws(LockError) -> Value
    ) throws(ChangeServiceStartError) -> Value {
        do {
            return try body()
        } catch {
            switch error {
            case .held(let path, let holder, let otherName): throw .alreadyServed(path, by: holder, as: otherName)
            case .unusable(let path, let cause): throw .lockUnavailable(path, cause: cause)
            }
        }
    }
}

/// A process of this user that serves a file already, so that no other may write it.
///
/// ```swift
/// if let server = RunningServer.find(files), let socket = server.socket { … }
/// ```
public struct RunningServer: Hashable, Sendable {
    /// What the process tells of itself: the address that it listens on, and its number.
    public let name: String
    /// The socket at which it answers the programs of this user; `nil` where it answers none yet.
    public let socket: URL?

    /// Looks for the process that serves a values file, under whatever name.
    ///
    /// Where the folder in which processes tell one another is not to be trusted, or can't be read, none is known: the locks
    /// beside the files keep a second writer out all the same.
    ///
    /// - Parameter files: The files.
    /// - Returns: `nil` where there is none that could be found so.
    public static func find(_ files: FlagFiles) -> RunningServer? { find(files, in: ServerRegistry.sharedFolder) }

    static func find(_ files: FlagFiles, in folder: URL) -> RunningServer? {
        switch Result(catching: { () throws(LockError) in try ServerRegistry.server(of: files.values, in: folder) }) {
        case .success(let found): found.map { RunningServer(name: $0.holder, socket: $0.socket) }
        case .failure: nil
        }
    }
}
