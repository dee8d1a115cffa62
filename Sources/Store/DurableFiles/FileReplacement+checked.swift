import Foundation

extension FileReplacement {
    /// Replaces a file, or makes it, unless another writer has changed it since it was read.
    ///
    /// The folder is still to be synchronized. Where two others write at that very moment, one of them on top of `data`, that
    /// one's file stands and the other's is kept beside it.
    ///
    /// - Parameter before: The state in which the file was read; `nil` where there was none.
    /// - Returns: `false` where the file is not as before any more; it holds another writer's edit then.
    package static func replace(
        _ target: URL, ifStill before: AtomicFile.Signature?, with data: Data, actions: Actions = Actions()
    ) throws -> Bool {
        let temporary = try AtomicFile.writeTemporary(data, beside: target, mode: before?.mode)
        let replacement = FileReplacement(url: target, temporary: temporary, exchanges: true, actions: actions)
        let placing: Placing
        do {
            placing = try replacement.place(ifStill: before)
        } catch {
            replacement.discard { _ in }
            throw error
        }
        // From here on the temporary file may be the only copy of another writer's edit: where a step throws, it stays.
        let displaced = placing == .swapped ? try AtomicFile.signature(of: replacement.displaced) : nil
        let isRaced = placing == .swapped && before.map { displaced?.isSameFile(as: $0) == true } != true
        if isRaced, try !replacement.takeBack(data) { _ = try replacement.keepDisplaced() }
        replacement.discard { _ in }
        return placing != .refused && !isRaced
    }

    /// How a new file came to its place.
    private enum Placing {
        /// Not at all: the file is not as before any more.
        case refused
        /// By a call that can't tell of a race: there was no file, or the file system can't swap two.
        case placed
        /// By a swap, which may have displaced another writer's edit.
        case swapped
    }

    private func place(ifStill before: AtomicFile.Signature?) throws(FileAccessError) -> Placing {
        guard try AtomicFile.signature(of: url) == before else { return .refused }
        do throws(FileAccessError) {
            guard before != nil else {
                try AtomicFile.make(temporary, at: url)
                return .placed
            }
            try install()
            return .swapped
        } catch {
            if error.isInTheWay { return .refused }
            guard error.isUnsupported else { throw error }
            try AtomicFile.rename(temporary, to: url)
            return .placed
        }
    }
}
