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
        let folder = url.deletingLastPathComponent()
        let prefix = temporaryPrefix(writer, beside: url)
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path(percentEncoded: false)) {
            // A file's second name, where two can't be swapped, is the temporary one's with a tilde.
            let bare = name.hasSuffix("~") ? String(name.dropLast()) : name
            guard bare.utf8.starts(with: prefix.utf8), bare.hasSuffix(temporarySuffix),
                UUID(uuidString: String(bare.dropFirst(prefix.count).dropLast(temporarySuffix.count))) != nil
            else { continue }
            try FileManager.default.removeItem(at: folder.appending(path: name))
        }
    }
}
