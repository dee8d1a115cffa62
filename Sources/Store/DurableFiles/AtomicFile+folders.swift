import Foundation

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
