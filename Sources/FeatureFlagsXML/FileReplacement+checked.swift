import Foundation

extension FileReplacement {
    /// Replaces a file, or makes it, unless somebody else has written it since it was read.
    ///
    /// The folder is still to be synchronized.
    ///
    /// - Parameters:
    ///   - target: The file itself, no link to it.
    ///   - before: The state in which the file was read; `nil` where there was none.
    ///   - data: What the file is to hold.
    /// - Returns: `false` where the file is not as before any more; it holds what somebody else wrote then.
    /// - Throws: Where the file can't be replaced.
    static func replace(_ target: URL, ifStill before: AtomicFile.Signature?, with data: Data) throws -> Bool {
        let temporary = try AtomicFile.writeTemporary(data, beside: target, mode: before?.mode)
        let replacement = FileReplacement(url: target, temporary: temporary, exchanges: true)
        defer { replacement.discard { _ in } }
        guard try AtomicFile.signature(of: target) == before else { return false }
        do throws(FileAccessError) {
            guard let before else {
                try AtomicFile.make(temporary, at: target)
                return true
            }
            try replacement.install()
            if try AtomicFile.signature(of: replacement.displaced)?.isSameFile(as: before) == true { return true }
        } catch  where error.isUnsupported {
            try AtomicFile.rename(temporary, to: target)
            return true
        } catch  where error.isInTheWay {
            return false
        }
        // Somebody else wrote the file between the last look and the swap: theirs goes back, and ours on top of it.
        _ = try replacement.takeBack(data)
        return false
    }
}
