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
