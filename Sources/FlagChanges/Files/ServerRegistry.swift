import FeatureFlagsXML
import Foundation
import Synchronization

/// What the processes of one user serve, told to one another in a folder of their own.
///
/// A file that has two names (hard links) has a lock beside each of them, so that two processes could serve it; a change of
/// either would part the names. Each process has an entry there, locked for as long as it lives, with the paths of its files:
/// what they lead to is looked up when another one starts, since every change makes another file of a path.
final class ServerRegistry: Sendable {
    private struct State {
        var descriptor: Int32
        var url: URL
        var holder: String
        /// Whether the operator knows that there is no entry any more.
        var isLost = false
    }

    /// Where the processes of this user tell: for all of them the same, whatever their environment.
    static var sharedFolder: URL { URL(filePath: "/tmp/flagboard-\(geteuid())") }

    private let folder: URL
    private let paths: [String]
    private let state: Mutex<State>

    /// Tells the others of some files.
    ///
    /// - Parameters:
    ///   - files: The files that no other process may write.
    ///   - folder: Where the others look; made where it is missing.
    ///   - log: Takes why the others can't be told; they are found out by the locks beside the files then, but for other
    ///     names of the same file.
    /// - Returns: The entry, to be kept for as long as the files are served; `nil` where there could be none.
    /// - Throws: ``ChangeServiceStartError`` where another process serves one of them by another name.
    static func claim(
        _ files: [URL], in folder: URL, log: (String) -> Void
    ) throws(ChangeServiceStartError) -> ServerRegistry? {
        do throws(Failure) {
            return try take(in: folder) { () throws(Failure) in try ServerRegistry(files, in: folder) }
        } catch {
            switch error {
            case .served(let refusal): throw refusal
            case .unusable(let cause):
                log(loss(folder, cause))
                return nil
            }
        }
    }

    private init(_ files: [URL], in folder: URL) throws(Failure) {
        self.folder = folder
        paths = files.map { $0.path(percentEncoded: false) }
        try Self.check(paths, in: folder)
        let holder = "process \(ProcessInfo.processInfo.processIdentifier)"
        let (descriptor, url) = try Self.makeEntry(paths, holder, in: folder)
        state = Mutex(State(descriptor: descriptor, url: url, holder: holder))
    }

    deinit {
        state.withLock { state in
            unlink(state.url.path(percentEncoded: false))
            close(state.descriptor)
        }
    }

    /// Tells the others what a second process shall be told, such as the address that this one listens on.
    ///
    /// - Parameters:
    ///   - holder: What to tell.
    ///   - log: Takes why that can't be told.
    func describe(_ holder: String, log: (String) -> Void) {
        state.withLock { state in
            state.holder = holder
            guard let cause = Self.write(paths, holder, state.descriptor) else { return }
            log(Self.loss(folder, cause))
        }
    }

    /// Makes the entry anew where somebody has removed it, as programs do that tidy up.
    ///
    /// - Parameter log: Takes why that can't be, once.
    func renew(log: (String) -> Void) {
        state.withLock { state in
            var status = stat()
            guard fstat(state.descriptor, &status) == 0, status.st_nlink == 0 else { return }
            do throws(Failure) {
                let holder = state.holder
                let made = try Self.take(in: folder) { () throws(Failure) in
                    try Self.makeEntry(paths, holder, in: folder)
                }
                close(state.descriptor)
                (state.descriptor, state.url) = made
                state.isLost = false
            } catch {
                if !state.isLost { log(Self.loss(folder, error.cause)) }
                state.isLost = true
            }
        }
    }

    private static func loss(_ folder: URL, _ cause: String) -> String {
        "\(folder.path(percentEncoded: false)): \(cause): a second Flagboard on another hard link of a file would not be "
            + "noticed"
    }
}

extension ServerRegistry {
    /// Why there is no entry.
    private enum Failure: Error {
        case served(ChangeServiceStartError)
        case unusable(String)

        var cause: String {
            switch self {
            case .served(let refusal): refusal.description
            case .unusable(let cause): cause
            }
        }

        /// What the last call to the system failed for.
        static var system: Failure { .unusable(String(cString: strerror(errno))) }
    }

    /// Runs a body while no other process looks at the folder or tells in it.
    private static func take<Made>(in folder: URL, _ body: () throws(Failure) -> Made) throws(Failure) -> Made {
        try prepare(folder)
        let made: Result<Made, Failure>
        do throws(FileAccessError) {
            made = try FolderLock.take(beside: folder.appending(path: "entry")) { Result(catching: body) }
        } catch {
            throw .unusable(error.description)
        }
        return try made.get()
    }

    /// Everybody may write to the folder around it: what another user put there is not to be trusted.
    private static func prepare(_ folder: URL) throws(Failure) {
        let path = folder.path(percentEncoded: false)
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw .system }
        var status = stat()
        guard lstat(path, &status) == 0 else { throw .system }
        guard status.st_mode & S_IFMT == S_IFDIR, status.st_uid == geteuid(), status.st_mode & 0o077 == 0 else {
            throw .unusable("it is no folder of this user alone; remove it")
        }
    }

    /// Refuses files that another process serves; entries of processes that are gone are removed.
    private static func check(_ paths: [String], in folder: URL) throws(Failure) {
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: folder.path(percentEncoded: false))
        } catch {
            throw .unusable("\(error)")
        }
        let mine = paths.compactMap { path in identity(of: path).map { (path, $0) } }
        for name in names {
            let entry = folder.appending(path: name).path(percentEncoded: false)
            let descriptor = open(entry, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
            guard descriptor >= 0 else { continue }
            defer { close(descriptor) }
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 {
                unlink(entry)
                continue
            }
            let (others, holder) = read(descriptor)
            for other in others {
                guard let identity = identity(of: other), let own = mine.first(where: { $0.1 == identity })
                else { continue }
                throw .served(.alreadyServed(own.0, by: holder, as: other))
            }
        }
    }

    /// - Returns: `nil` where there is no file of this path, or none that this user may see.
    private static func identity(of path: String) -> AtomicFile.Identity? {
        let look = Result { () throws(FileAccessError) in try AtomicFile.signature(of: URL(filePath: path)) }
        guard case .success(let signature) = look else { return nil }
        return signature?.identity
    }

    private static func makeEntry(
        _ paths: [String], _ holder: String, in folder: URL
    ) throws(Failure) -> (descriptor: Int32, url: URL) {
        let url = folder.appending(path: UUID().uuidString)
        let path = url.path(percentEncoded: false)
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw .system }
        let problem =
            flock(descriptor, LOCK_EX | LOCK_NB) == 0
            ? write(paths, holder, descriptor) : String(cString: strerror(errno))
        if let problem {
            unlink(path)
            close(descriptor)
            throw .unusable(problem)
        }
        return (descriptor, url)
    }

    /// Paths hold any byte but 0.
    ///
    /// - Returns: Why the entry can't be written; `nil` where it is.
    private static func write(_ paths: [String], _ holder: String, _ descriptor: Int32) -> String? {
        let bytes = Array((paths.joined(separator: "\0") + "\0\0" + holder).utf8)
        guard pwrite(descriptor, bytes, bytes.count, 0) == bytes.count, ftruncate(descriptor, off_t(bytes.count)) == 0
        else { return String(cString: strerror(errno)) }
        return nil
    }

    private static func read(_ descriptor: Int32) -> (paths: [String], holder: String) {
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        let count = max(0, pread(descriptor, &bytes, bytes.count, 0))
        let parts = String(decoding: bytes.prefix(count), as: UTF8.self).components(separatedBy: "\0\0")
        let holder = parts.count > 1 ? parts[1] : ""
        return (parts[0].components(separatedBy: "\0"), holder.isEmpty ? "another process" : holder)
    }
}
