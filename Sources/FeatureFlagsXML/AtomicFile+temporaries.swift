import Foundation

extension AtomicFile {
    static let temporarySuffix = ".tmp"

    static func temporaryPrefix(_ writer: String?, beside url: URL) -> String {
        ".\(url.lastPathComponent)." + (writer.map { "\($0)." } ?? "")
    }

    /// Whether a name is one that ``writeTemporary(_:beside:mode:writer:)`` gives, whatever the writer.
    ///
    /// - Parameters:
    ///   - name: The name of a file in the same folder.
    ///   - url: The file that it was to replace.
    /// - Returns: Whether it is.
    public static func isTemporary(_ name: String, beside url: URL) -> Bool {
        name.utf8.starts(with: temporaryPrefix(nil, beside: url).utf8) && name.hasSuffix(temporarySuffix)
            && !name.unicodeScalars.contains { $0 == "/" || $0 == "\0" }
    }

    /// Removes what ``writeTemporary(_:beside:mode:writer:)`` left beside a file when its process was ended.
    ///
    /// Only whoever alone writes the file under that name, by a lock, may do so.
    ///
    /// - Parameters:
    ///   - writer: The word in the names of the temporary files.
    ///   - url: The file that they were to replace.
    /// - Throws: Where the folder can't be read or a file in it can't be removed.
    package static func removeTemporaries(of writer: String, beside url: URL) throws {
        for temporary in try temporaries(of: writer, beside: url) { try FileManager.default.removeItem(at: temporary) }
    }

    /// What one writer's temporary files beside a file are, with their second names.
    static func temporaries(of writer: String, beside url: URL) throws(FileAccessError) -> [URL] {
        let folder = url.deletingLastPathComponent()
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: folder.path(percentEncoded: false))
        } catch {
            let cause = FileAccessError.Cause(errorNumber: access(folder.path, R_OK | X_OK) == 0 ? EIO : errno)
            throw FileAccessError(cause == .missing ? .missingFolder : cause, path: url.path, action: "written")
        }
        let prefix = temporaryPrefix(writer, beside: url)
        return names.filter { name in
            // A file's second name, where two can't be swapped, is the temporary one's with a tilde.
            let bare = name.hasSuffix("~") ? String(name.dropLast()) : name
            return bare.utf8.starts(with: prefix.utf8) && bare.hasSuffix(temporarySuffix)
                && UUID(uuidString: String(bare.dropFirst(prefix.count).dropLast(temporarySuffix.count))) != nil
        }.map { folder.appending(path: $0) }
    }
}
