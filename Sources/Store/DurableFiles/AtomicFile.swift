import CFileCalls
import Foundation

/// Files that are read in one consistent state and replaced as a whole.
package enum AtomicFile {
    /// Reads a file in one state: the file is examined before and after, and read again where it changed meanwhile.
    ///
    /// - Parameters:
    ///   - maximumSize: The most bytes to read.
    ///   - known: What the file may hold still: its bytes are then these, and are not in memory twice.
    /// - Returns: The bytes and the state; `nil` where there is no such file.
    package static func readIfThere(
        _ url: URL, maximumSize: Int, known: [Data] = [], at now: Date = Date()
    ) throws(FileAccessError) -> Contents? {
        do throws(FileAccessError) {
            return try read(url, maximumSize: maximumSize, known: known, at: now)
        } catch {
            if error.isMissing { return nil }
            throw error
        }
    }

    /// Reads a file that should be there in one state.
    ///
    /// - Parameters:
    ///   - maximumSize: The most bytes to read.
    ///   - known: What the file may hold still: its bytes are then these, and are not in memory twice.
    /// - Returns: The bytes and the state.
    package static func read(
        _ url: URL, maximumSize: Int, known: [Data] = [], at now: Date = Date()
    ) throws(FileAccessError) -> Contents {
        for _ in 0..<5 {
            let file = try OpenFile(url, for: .reading)
            let before = try file.signature()
            guard before.size <= maximumSize else {
                throw FileAccessError(
                    .tooLarge(size: before.size, maximum: maximumSize), path: url.path, action: "read")
            }
            let place = try file.place(of: before.size, among: known)
            // One byte more than expected is asked for, to notice a file that grows.
            let data = if let place { known[place] } else { try file.content(upTo: before.size + 1) }
            if try file.signature() == before, data.count == before.size {
                return Contents(data: data, known: place, signature: before, isSettled: before.isSettled(at: now))
            }
        }
        throw FileAccessError(.changing, path: url.path, action: "read")
    }

    /// Examines a file without reading it.
    ///
    /// - Returns: `nil` where there is none.
    package static func signature(
        of url: URL, followingLink followsLink: Bool = true
    ) throws(FileAccessError) -> Signature? {
        if let signature = look(at: url, followingLink: followsLink) { return signature }
        let error = FileAccessError(.init(errorNumber: errno), path: url.path, action: "read")
        if error.isMissing { return nil }
        throw error
    }

    /// Examines a file as far as this process may.
    ///
    /// - Returns: `nil` where there is none, and where it can't be examined.
    package static func look(at url: URL, followingLink followsLink: Bool = true) -> Signature? {
        look(atPath: url.path, followingLink: followsLink)
    }

    /// Examines a file as far as this process may.
    ///
    /// - Returns: `nil` where there is none, and where it can't be examined.
    package static func look(atPath path: String, followingLink followsLink: Bool = true) -> Signature? {
        var status = stat()
        let result = followsLink ? stat(path, &status) : lstat(path, &status)
        return result == 0 ? Signature(status) : nil
    }

    /// Examines a file itself, no symbolic link followed.
    ///
    /// - Returns: `nil` where there is none.
    /// - Throws: ``FileAccessError`` where it can't be examined.
    package static func examine(_ url: URL) throws(FileAccessError) -> Signature? {
        var status = stat()
        do throws(FileAccessError) {
            try FileAccessError.check(lstat(url.path, &status), url, "examined")
        } catch  where error.isMissing {
            return nil
        }
        return Signature(status)
    }

    /// The file that a path means once every symbolic link is followed, so that replacing it keeps the link.
    ///
    /// - Returns: The file itself, also where it, or a folder above it, does not exist yet; `url` where the links lead to one
    ///   another or can't be followed.
    package static func target(of url: URL) -> URL {
        if let path = realpath(url.path, nil) {
            defer { free(path) }
            return URL(fileURLWithPath: String(cString: path))
        }
        var walk = FileWalk(url.absoluteURL.path)
        while let step = walk.next() {
            let rest = walk.rest
            switch walk.enter(step) {
            case .folder, .link: continue
            case .file, .missing: return URL(fileURLWithPath: ([step.path] + rest).joined(separator: "/"))
            case .none: return url
            }
        }
        return url
    }
}

extension AtomicFile {
    /// The extended attributes of a file that a new one in its place would lack, since this process may not set them, such as a
    /// label of SELinux; found out with a new file beside it.
    package static func lostAttributes(of url: URL, writer: String) throws(FileAccessError) -> [String] {
        let replaced: OpenFile
        do throws(FileAccessError) {
            replaced = try OpenFile(url, for: .reading)
        } catch {
            if error.isMissing { return [] }
            throw error
        }
        let (temporary, file) = try newTemporary(beside: url, mode: 0o600, writer: writer)
        defer { unlink(temporary.path) }
        let names = Names()
        let result = flagboard_copy_attributes(
            replaced.descriptor, file.descriptor,
            { context, name in
                guard let context, let name else { return }
                Unmanaged<Names>.fromOpaque(context).takeUnretainedValue().all.append(String(cString: name))
            }, Unmanaged.passUnretained(names).toOpaque())
        let number = errno
        guard result == 0 else { throw FileAccessError(.init(errorNumber: number), path: url.path, action: "replaced") }
        return withExtendedLifetime(names) { names.all.sorted() }
    }

    private final class Names {
        var all: [String] = []
    }
}

extension AtomicFile {
    /// Whether the folder that a file stands in is there.
    ///
    /// - Returns: `false` where there is none, and where something else is in its place.
    package static func hasFolder(_ url: URL) throws(FileAccessError) -> Bool {
        try signature(of: url.deletingLastPathComponent())?.kind == .folder
    }

    /// Makes the folder of a file and those above it, as far as they lack, and has them on the disk before it returns.
    ///
    /// - Throws: Where a folder can't be made; those above it may have been.
    package static func makeFolder(of url: URL) throws(FileAccessError) {
        try makeFolder(url.absoluteURL.deletingLastPathComponent(), for: url)
    }

    private static func makeFolder(_ folder: URL, for url: URL) throws(FileAccessError) {
        if mkdir(folder.path, 0o777) != 0 {
            let cause = FileAccessError.Cause(errorNumber: errno)
            let above = folder.deletingLastPathComponent()
            if cause == .missing, above.path != folder.path, try !hasFolder(folder) {
                try makeFolder(above, for: url)
                return try makeFolder(folder, for: url)
            }
            // Another program may have made the same folder.
            guard try hasFolder(folder.appendingPathComponent(url.lastPathComponent)) else {
                let isInTheWay = cause == .missing || cause == .system(EEXIST)
                throw FileAccessError(isInTheWay ? .missingFolder : cause, path: url.path, action: "written")
            }
        }
        try synchronizeFolder(of: folder)
    }
}
