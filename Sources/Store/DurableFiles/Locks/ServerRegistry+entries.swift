import Foundation

extension ServerRegistry {
    package struct Server: Hashable, Sendable {
        /// The process's own words, such as its address.
        package let holder: String
        /// The socket for the user's other programs; `nil` for none.
        package let socket: URL?
        /// `nil` if unknown, as of an older version.
        package let companions: Companions?

        /// The socket for the user's running apps; `nil` for none.
        package var socketForApps: URL? { socket.map(ServerRegistry.socketForApps) }
    }

    static func socketForApps(beside socket: URL) -> URL {
        let name = socket.lastPathComponent.dropLast(socketSuffix.count)
        return socket.deletingLastPathComponent().appending(path: name + appsSuffix)
    }

    /// Returns this user's process that serves a file under any name; `nil` if none is registered.
    package static func server(of url: URL, in folder: URL) throws(FileAccessError) -> Server? {
        try server(of: [url], in: folder)
    }

    /// Returns the process that has locked a file of some names, or else one that shows it without a lock.
    package static func server(of names: [URL], in folder: URL) throws(FileAccessError) -> Server? {
        guard AtomicFile.look(at: folder) != nil else { return nil }
        let paths = Set(names.map(path))
        let identities = Set(names.compactMap { AtomicFile.look(at: $0)?.identity })
        func isAny(_ others: [String]) -> Bool {
            others.contains { other in
                paths.contains(other)
                    || AtomicFile.look(at: URL(filePath: other)).map { identities.contains($0.identity) } ?? false
            }
        }
        let entries = try take(in: folder) { () throws(FileAccessError) in try living(in: folder) }
        let entry = entries.first { isAny($0.paths) } ?? entries.first { isAny($0.shown) }
        return entry.map { entry in
            Server(
                holder: entry.holder, socket: entry.socket.map { folder.appending(path: $0) },
                companions: entry.companions)
        }
    }

    static func path(_ url: URL) -> String { url.absoluteURL.path(percentEncoded: false) }

    struct Entry {
        /// The locked files.
        var paths: [String]
        /// The names of the main values file, locked or not.
        var shown: [String]
        var companions: Companions?
        var holder: String
        var socket: String?
    }

    static let socketSuffix = ".socket"
    /// Ends as all sockets do, to mark it as no entry.
    private static let appsSuffix = ".apps" + socketSuffix

    static func take<Made>(
        in folder: URL, _ body: () throws(FileAccessError) -> Made
    ) throws(FileAccessError) -> Made {
        try prepare(folder)
        return try FolderLock.take(beside: folder.appending(path: "entry")) { Result(catching: body) }.get()
    }

    /// Creates the folder or checks that it is private: any user may have planted it in the shared parent.
    private static func prepare(_ folder: URL) throws(FileAccessError) {
        let path = folder.path
        var status = stat()
        guard mkdir(path, 0o700) == 0 || errno == EEXIST, lstat(path, &status) == 0 else {
            throw unusable(folder, String(cString: strerror(errno)))
        }
        guard FileKind(status) == .folder, status.st_uid == geteuid(), status.st_mode & 0o077 == 0 else {
            throw unusable(folder, "it must be a folder that belongs only to this user; remove it")
        }
    }

    private static func unusable(_ folder: URL, _ cause: String) -> FileAccessError {
        FileAccessError(.other(cause), path: folder.path, action: "use")
    }

    /// Refuses files that another process serves; removes entries of dead processes.
    static func check(_ paths: [String], in folder: URL, besides own: URL? = nil) throws(FileAccessError) {
        let mine = paths.compactMap { path in AtomicFile.look(at: URL(filePath: path)).map { (path, $0.identity) } }
        for entry in try living(in: folder, besides: own) {
            for other in entry.paths {
                guard let identity = AtomicFile.look(at: URL(filePath: other))?.identity,
                    let own = mine.first(where: { $0.1 == identity })
                else { continue }
                throw FileAccessError(.held(by: entry.holder, as: other), path: own.0, action: "lock")
            }
        }
    }

    private static func living(in folder: URL, besides own: URL? = nil) throws(FileAccessError) -> [Entry] {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: folder.path)
                .filter { !$0.hasSuffix(socketSuffix) && $0 != own?.lastPathComponent }.compactMap {
                    living(folder.appending(path: $0))
                }
        } catch {
            throw unusable(folder, "\(error)")
        }
    }

    /// Creates and locks an entry, which counts until closed.
    static func makeEntry(
        _ content: Entry, in folder: URL
    ) throws(FileAccessError) -> (entry: OpenFile, url: URL) {
        let url = folder.appending(path: UUID().uuidString)
        let entry = try OpenFile(url, for: .creating(mode: 0o600))
        do throws(FileAccessError) {
            _ = try entry.tryLock()
            try write(content, entry)
        } catch {
            unlink(url.path)
            throw error
        }
        return (entry, url)
    }

    /// Separates parts with the only byte that paths can't hold, 0.
    static func write(_ content: Entry, _ entry: OpenFile) throws(FileAccessError) {
        let parts = [
            content.paths.joined(separator: "\0"), content.holder, content.socket ?? "",
            content.shown.joined(separator: "\0"), (content.companions?.paths ?? []).joined(separator: "\0"),
        ]
        let bytes = Data(parts.joined(separator: "\0\0").utf8)
        try entry.write(bytes, at: 0)
        try entry.truncate(to: bytes.count)
    }

    /// Reads an entry; `nil` if it is unreadable, or if its process is dead, which removes it.
    private static func living(_ url: URL) -> Entry? {
        let look = Result { () throws(FileAccessError) in
            let entry = try OpenFile(url, for: .readingItself)
            let isGone = try entry.tryLock()
            return (isGone, try entry.content(upTo: 1 << 16))
        }
        guard case .success((let isGone, let content)) = look else { return nil }
        let parts = String(decoding: content, as: UTF8.self).components(separatedBy: "\0\0")
        func part(_ place: Int) -> String { place < parts.count ? parts[place] : "" }
        func paths(_ place: Int) -> [String] {
            part(place).isEmpty ? [] : part(place).components(separatedBy: "\0")
        }
        // Only a name in this folder: the entry may hold any path.
        let socket = part(2).isEmpty ? nil : URL(filePath: part(2)).lastPathComponent
        guard !isGone else {
            unlink(url.path)
            if let socket {
                let url = url.deletingLastPathComponent().appending(path: socket)
                for url in [url, socketForApps(beside: url)] { unlink(url.path) }
            }
            return nil
        }
        return Entry(
            paths: paths(0), shown: paths(3), companions: Companions(paths(4)),
            holder: part(1).isEmpty ? "another process" : part(1), socket: socket)
    }
}
