import Foundation

extension AtomicFile {
    static let temporarySuffix = ".tmp"

    static func temporaryPrefix(_ writer: String?, beside url: URL) -> String {
        ".\(url.lastPathComponent)." + (writer.map { "\($0)." } ?? "")
    }

    package static func isTemporary(_ name: String, beside url: URL) -> Bool {
        name.utf8.starts(with: temporaryPrefix(nil, beside: url).utf8) && name.hasSuffix(temporarySuffix)
            && !name.unicodeScalars.contains { $0 == "/" || $0 == "\0" }
    }

    static func newTemporary(
        beside url: URL, mode: UInt32, writer: String?
    ) throws(FileAccessError) -> (URL, OpenFile) {
        let name = temporaryPrefix(writer, beside: url) + UUID().uuidString + temporarySuffix
        let temporary = url.deletingLastPathComponent().appending(path: name)
        return (temporary, try OpenFile(temporary, for: .creating(mode: mode), named: url))
    }

    /// Removes the temporary files that a killed process left.
    ///
    /// Requires a lock that makes this process the only such writer.
    package static func removeTemporaries(of writer: String?, beside url: URL) throws(FileAccessError) {
        for temporary in try temporaries(of: writer, beside: url) { try remove(temporary) }
    }

    package static func removeTemporaries(
        in folder: URL, of isOurs: (Substring) -> Bool
    ) throws(FileAccessError) {
        for temporary in try temporaries(in: folder, named: folder, of: isOurs) { try remove(temporary) }
    }

    static func temporaries(of writer: String?, beside url: URL) throws(FileAccessError) -> [URL] {
        let stem = temporaryPrefix(writer, beside: url).dropFirst().dropLast()
        return try temporaries(in: url.deletingLastPathComponent(), named: url) { $0.utf8.elementsEqual(stem.utf8) }
    }

    private static func temporaries(
        in folder: URL, named url: URL, of isWanted: (Substring) -> Bool
    ) throws(FileAccessError) -> [URL] {
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: folder.path(percentEncoded: false))
        } catch {
            let cause = FileAccessError.Cause(errorNumber: access(folder.path, R_OK | X_OK) == 0 ? EIO : errno)
            throw FileAccessError(cause == .missing ? .missingFolder : cause, path: url.path, action: "write")
        }
        var temporaries: [URL] = []
        for name in names where name.hasPrefix(".") {
            // Where files can't be swapped, a second name is the temporary one with a tilde.
            let whole = name.dropFirst().dropLast(name.hasSuffix("~") ? 1 : 0)
            guard whole.hasSuffix(temporarySuffix) else { continue }
            let bare = whole.dropLast(temporarySuffix.count)
            guard let dot = bare.lastIndex(of: "."), UUID(uuidString: String(bare[dot...].dropFirst())) != nil,
                isWanted(bare[..<dot])
            else { continue }
            let temporary = folder.appending(path: name)
            if try signature(of: temporary, followingLink: false)?.kind == .regular { temporaries.append(temporary) }
        }
        return temporaries
    }
}
