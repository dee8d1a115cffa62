import Foundation

/// A new file that takes another's place, while what stood there is kept beside it until the change is final.
///
/// Where the file system can, the two are swapped at one stroke. Where it can't, the old file gets a second name first.
package struct FileReplacement: Sendable {
    /// The calls that replace a file; tests put others in their place, to fail or to be raced at that very step.
    package struct Actions: Sendable {
        /// Swaps a file beside another with that one.
        package var exchange: @Sendable (URL, URL) throws(FileAccessError) -> Void = {
            (temporary, url) throws(FileAccessError) in try AtomicFile.exchange(temporary, with: url)
        }
        /// Puts a file in the place of another.
        package var rename: @Sendable (URL, URL) throws(FileAccessError) -> Void = {
            (temporary, url) throws(FileAccessError) in try AtomicFile.rename(temporary, to: url)
        }
        /// Gives a file a second name.
        package var link: @Sendable (URL, URL) throws(FileAccessError) -> Void = {
            (url, backup) throws(FileAccessError) in try AtomicFile.link(url, as: backup)
        }
        /// Makes durable that a file was replaced.
        package var synchronizeFolder: @Sendable (URL) throws(FileAccessError) -> Void = AtomicFile.synchronizeFolder

        /// The calls themselves.
        package init() {}
    }

    /// The file to replace.
    package let url: URL
    /// The new file, complete and on the disk.
    package let temporary: URL
    /// Whether the two are swapped rather than renamed.
    package let exchanges: Bool
    private let actions: Actions

    /// Names the files of a replacement that is to be made, or was.
    package init(url: URL, temporary: URL, exchanges: Bool, actions: Actions = Actions()) {
        self.url = url
        self.temporary = temporary
        self.exchanges = exchanges
        self.actions = actions
    }

    /// Where what stood at ``url`` is found once it is replaced.
    package var displaced: URL { exchanges ? temporary : backup }

    /// The second name that the file at ``url`` gets, where files can't be swapped.
    package var backup: URL {
        temporary.deletingLastPathComponent().appending(path: temporary.lastPathComponent + "~")
    }

    /// Puts the new file in its place.
    ///
    /// - Throws: Where that is not possible; the file is as it was then.
    package func install() throws(FileAccessError) {
        if exchanges { return try actions.exchange(temporary, url) }
        try actions.link(url, backup)
        do {
            try actions.rename(temporary, url)
        } catch {
            unlink(backup.path(percentEncoded: false))
            throw error
        }
    }

    /// Makes the replacement durable.
    package func synchronize() throws(FileAccessError) {
        try actions.synchronizeFolder(url)
    }

    /// How often edits of others may meet a swap back: to give up leaves one of them aside, so only where it never ends.
    private static let mostSwaps = 100

    /// Puts what was displaced back into its place, unless another writer has changed the file since.
    ///
    /// A swap that finds another file than the one it was to replace has displaced a newer edit, and puts that back.
    ///
    /// - Returns: `false` where the file is another writer's, which stays; what it should have been put on top of is
    ///   ``displaced`` then.
    package func takeBack(_ new: Data) throws(FileAccessError) -> Bool {
        guard exchanges else {
            guard try AtomicFile.read(url, maximumSize: .max).data == new else { return false }
            try AtomicFile.restore(backup, to: url)
            return true
        }
        var expected = new
        for _ in 0..<Self.mostSwaps {
            let placing = try AtomicFile.read(temporary, maximumSize: .max).data
            try actions.exchange(temporary, url)
            if try AtomicFile.read(temporary, maximumSize: .max).data == expected { return expected == new }
            expected = placing
        }
        throw FileAccessError(.changing, path: url.path, action: "replaced")
    }

    /// Gives what was displaced a name of its own beside the file, so that it outlives the replacement.
    ///
    /// - Returns: The file of that name; its folder is still to be synchronized.
    package func keepDisplaced() throws(FileAccessError) -> URL {
        let kept = url.deletingLastPathComponent()
            .appending(path: "\(url.lastPathComponent).overwritten-\(UUID().uuidString)")
        do throws(FileAccessError) {
            try actions.link(displaced, kept)
        } catch {
            // A file of another owner, or on a file system without second names.
            let contents = try AtomicFile.read(displaced, maximumSize: .max)
            let copy = try AtomicFile.writeTemporary(contents.data, beside: url, mode: contents.signature.mode)
            try AtomicFile.rename(copy, to: kept)
        }
        return kept
    }

    /// Puts other bytes where what was displaced is found, once that is kept.
    ///
    /// - Parameter data: The bytes.
    package func replaceDisplaced(with data: Data, mode: UInt32, writer: String) throws(FileAccessError) {
        let copy = try AtomicFile.writeTemporary(data, beside: url, mode: mode, writer: writer)
        try AtomicFile.rename(copy, to: displaced)
    }

    /// Removes what is left beside the file; where that fails no harm is done, since the next start removes it.
    package func discard(_ log: (String) -> Void) {
        for file in [temporary, backup] {
            let path = file.path(percentEncoded: false)
            guard unlink(path) != 0, errno != ENOENT else { continue }
            log("\(path) could not be removed: \(String(cString: strerror(errno)))")
        }
    }
}

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
