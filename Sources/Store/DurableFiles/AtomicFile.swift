import CFileCalls
import Foundation

/// Files that are read in one consistent state and replaced as a whole.
package enum AtomicFile {
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

    /// Reads a file in one state: a file that changes during the read is read again.
    ///
    /// - Parameter known: Bytes that the file may still hold, returned instead of a second copy in memory.
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
            // One byte more than expected, to notice a file that grows.
            let data = if let place { known[place] } else { try file.content(upTo: before.size + 1) }
            if try file.signature() == before, data.count == before.size {
                return Contents(data: data, known: place, signature: before, isSettled: before.isSettled(at: now))
            }
        }
        throw FileAccessError(.changing, path: url.path, action: "read")
    }

    package static func signature(
        of url: URL, followingLink followsLink: Bool = true
    ) throws(FileAccessError) -> Signature? {
        if let signature = look(at: url, followingLink: followsLink) { return signature }
        let error = FileAccessError(.init(errorNumber: errno), path: url.path, action: "read")
        if error.isMissing { return nil }
        throw error
    }

    /// Examines a file; `nil` if it does not exist or can't be examined.
    package static func look(at url: URL, followingLink followsLink: Bool = true) -> Signature? {
        look(atPath: url.path, followingLink: followsLink)
    }

    package static func look(atPath path: String, followingLink followsLink: Bool = true) -> Signature? {
        var status = stat()
        let result = followsLink ? stat(path, &status) : lstat(path, &status)
        return result == 0 ? Signature(status) : nil
    }

    /// Examines a file without following a symbolic link; `nil` if there is none.
    package static func examine(_ url: URL) throws(FileAccessError) -> Signature? {
        var status = stat()
        do throws(FileAccessError) {
            try FileAccessError.check(lstat(url.path, &status), url, "examine")
        } catch  where error.isMissing {
            return nil
        }
        return Signature(status)
    }

    /// Follows every symbolic link, so that replacing the file keeps the link.
    ///
    /// - Returns: The target, which may not exist yet; `url` if the links can't be followed.
    package static func target(of url: URL) -> URL {
        let given = url.path
        if let path = realpath(given, nil) {
            defer { free(path) }
            let target = String(cString: path)
            let isPlain = url.isFileURL && url.baseURL == nil && !url.hasDirectoryPath
            let isGiven = isPlain && target.utf8.elementsEqual(given.utf8)
            // Making a URL from a path looks at the disk again, to see whether it is a folder.
            return isGiven ? url : URL(fileURLWithPath: target)
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

    /// True if neither the file, which may be missing, nor a folder above it is a link.
    package static func isFreeOfLinks(_ url: URL) -> Bool {
        let path = url.path
        if let real = realpath(path, nil) {
            defer { free(real) }
            return strcmp(real, path) == 0
        }
        guard errno == ENOENT, look(atPath: path, followingLink: false) == nil, path != "/" else { return false }
        return isFreeOfLinks(url.deletingLastPathComponent())
    }
}

extension AtomicFile {
    /// Returns the extended attributes that a replacement would lose, such as an SELinux label, as a new file beside
    /// the old one shows.
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
        guard result == 0 else { throw FileAccessError(.init(errorNumber: number), path: url.path, action: "replace") }
        return withExtendedLifetime(names) { names.all.sorted() }
    }

    private final class Names {
        var all: [String] = []
    }
}

extension AtomicFile {
    package static func hasFolder(_ url: URL) throws(FileAccessError) -> Bool {
        try signature(of: url.deletingLastPathComponent())?.kind == .folder
    }

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
                throw FileAccessError(isInTheWay ? .missingFolder : cause, path: url.path, action: "write")
            }
        }
        try synchronizeFolder(of: folder)
    }
}
