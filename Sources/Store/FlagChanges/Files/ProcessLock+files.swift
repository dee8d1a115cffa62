import DurableFiles
import Foundation

extension ProcessLock {
    /// Takes all locks or none, and announces them to the user's other processes.
    ///
    /// Unwritable folders need no lock, except the main values file's, unless the service is read-only.
    static func all(
        for files: FlagFiles, _ options: ChangeServiceOptions
    ) throws(ChangeServiceStartError) -> ([ProcessLock], ServerRegistry?) {
        try ChangeServiceStartError.unlessLocked { () throws(FileAccessError) in
            let locks = try lacking([], for: files, options)
            let entry = try ServerRegistry.claim(
                files.registered(locks), in: options.servedFolder, log: options.log)
            return (locks, entry)
        }
    }

    /// Takes the missing locks for writing, or none.
    static func lacking(
        _ held: [ProcessLock], for files: FlagFiles, _ options: ChangeServiceOptions
    ) throws(FileAccessError) -> [ProcessLock] {
        let lacking = files.exclusive.filter { url in
            let isWritable = access(url.deletingLastPathComponent().path(percentEncoded: false), W_OK) == 0
            return (isWritable || (url == files.values && !options.isReadOnly)) && !held.contains { $0.url == url }
        }
        return try lacking.map { (url) throws(FileAccessError) in
            do throws(FileAccessError) {
                return try ProcessLock(of: url)
            } catch {
                // The manifest comes before the values and need not exist.
                let isBefore = lacking.drop { $0 != url }.contains(files.values)
                throw isBefore ? ProcessLock.naming(files.values, in: error) : error
            }
        }
    }
}

extension ChangeServiceStartError {
    static func unlessLocked<Value>(
        _ body: () throws(FileAccessError) -> Value
    ) throws(ChangeServiceStartError) -> Value {
        do {
            return try body()
        } catch {
            guard let holder = error.holder else { throw .lockUnavailable(error.path, cause: error.clause) }
            throw .alreadyServed(error.path, by: holder.name, as: holder.path)
        }
    }
}

/// A process of this user that already serves a file.
///
/// ```swift
/// if let server = RunningServer.find(files), let socket = server.socket { … }
/// ```
package struct RunningServer: Hashable, Sendable {
    /// The process's address and its number.
    package let name: String
    /// The socket for programs of this user; `nil` if there is none yet.
    package let socket: URL?
    /// The files that it uses with the values; `nil` if unknown.
    let companions: ServerRegistry.Companions?

    /// Finds the process that serves a values file, under any name, with or without a lock.
    ///
    /// The given path counts too: the process may show its new target before it can lock it.
    /// Returns `nil` also if the shared folder is unreadable or untrusted; the locks beside the files still exclude a
    /// second writer.
    package static func find(_ files: FlagFiles) -> RunningServer? { find(files, in: ServerRegistry.sharedFolder) }

    static func find(_ files: FlagFiles, in folder: URL) -> RunningServer? {
        let found = Result { () throws(FileAccessError) in
            try ServerRegistry.server(of: files.namesOfValues, in: folder)
        }
        guard case .success(let server?) = found else { return nil }
        return RunningServer(name: server.holder, socket: server.socket, companions: server.companions)
    }
}

extension FlagFiles {
    func registered(_ locks: [ProcessLock]) -> ServerRegistry.Files {
        ServerRegistry.Files(
            locked: locks.map(\.url), shown: namesOfValues,
            companions: ServerRegistry.Companions(history: history, manifest: manifest, tokens: tokens))
    }

    /// Returns the files with the history, manifest and tokens of their running server, unless others were given.
    package func asServed() -> FlagFiles { asServed(in: ServerRegistry.sharedFolder) }

    func asServed(in folder: URL) -> FlagFiles {
        RunningServer.find(self, in: folder)?.companions.map(with) ?? self
    }
}
