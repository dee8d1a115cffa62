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
