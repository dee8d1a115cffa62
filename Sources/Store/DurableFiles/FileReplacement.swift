import Foundation

/// The replacement of a file, which keeps the old one beside it until the change is final.
///
/// The two are swapped atomically where the file system can. Elsewhere the old file gets a second name first.
package struct FileReplacement: Sendable {
    /// The system calls, which tests substitute to fail or to race at one step.
    package struct Actions: Sendable {
        package var exchange: @Sendable (URL, URL) throws(FileAccessError) -> Void = {
            (temporary, url) throws(FileAccessError) in try AtomicFile.exchange(temporary, with: url)
        }
        package var rename: @Sendable (URL, URL) throws(FileAccessError) -> Void = {
            (temporary, url) throws(FileAccessError) in try AtomicFile.rename(temporary, to: url)
        }
        package var link: @Sendable (URL, URL) throws(FileAccessError) -> Void = {
            (url, backup) throws(FileAccessError) in try AtomicFile.link(url, as: backup)
        }
        package var synchronizeFolder: @Sendable (URL) throws(FileAccessError) -> Void = AtomicFile.synchronizeFolder

        package init() {}
    }

    package let url: URL
    package let temporary: URL
    package let exchanges: Bool
    private let actions: Actions

    package init(url: URL, temporary: URL, exchanges: Bool, actions: Actions = Actions()) {
        self.url = url
        self.temporary = temporary
        self.exchanges = exchanges
        self.actions = actions
    }

    package var displaced: URL { exchanges ? temporary : backup }

    /// The old file's second name, where files can't be swapped.
    package var backup: URL {
        temporary.deletingLastPathComponent().appending(path: temporary.lastPathComponent + "~")
    }

    /// Puts the new file in its place, or throws and changes nothing.
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

    package func synchronize() throws(FileAccessError) {
        try actions.synchronizeFolder(url)
    }

    /// The most swaps in ``takeBack(_:)``: many, since giving up leaves another writer's edit aside.
    private static let mostSwaps = 100

    /// Puts the displaced file back, unless another writer has changed the file since.
    ///
    /// A swap that finds an unexpected file has displaced a newer edit, and is undone.
    ///
    /// - Returns: `false` if another writer's file stays.
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
        throw FileAccessError(.changing, path: url.path, action: "replace")
    }

    /// Gives the displaced file a name that outlives the replacement; the folder is not synchronized yet.
    package func keepDisplaced() throws(FileAccessError) -> URL {
        let kept = url.deletingLastPathComponent()
            .appending(path: "\(url.lastPathComponent).overwritten-\(UUID().uuidString)")
        do throws(FileAccessError) {
            try actions.link(displaced, kept)
        } catch {
            // Another owner's file, or no hard links.
            let contents = try AtomicFile.read(displaced, maximumSize: .max)
            let copy = try AtomicFile.writeTemporary(contents.data, beside: url, mode: contents.signature.mode)
            try AtomicFile.rename(copy, to: kept)
        }
        return kept
    }

    package func replaceDisplaced(with data: Data, mode: UInt32, writer: String) throws(FileAccessError) {
        let copy = try AtomicFile.writeTemporary(data, beside: url, mode: mode, writer: writer)
        try AtomicFile.rename(copy, to: displaced)
    }

    /// Removes the temporary files, as the next start does after a failure.
    package func discard(_ log: (String) -> Void) {
        for file in [temporary, backup] {
            let path = file.path(percentEncoded: false)
            guard unlink(path) != 0, errno != ENOENT else { continue }
            log("can't remove \(path): \(String(cString: strerror(errno)))")
        }
    }
}

extension FileReplacement {
    /// Replaces or creates a file, unless another writer has changed it since it was read.
    ///
    /// Doesn't synchronize the folder. If two others write at that moment, one on top of `data`, that one's file stays
    /// and the other's is kept beside it.
    ///
    /// - Parameter before: `nil` if there was no file.
    /// - Returns: `false` if the file holds another writer's edit.
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
        // From here on the temporary file may be the only copy of another writer's edit, so it stays on an error.
        let displaced = placing == .swapped ? try AtomicFile.signature(of: replacement.displaced) : nil
        let isRaced = placing == .swapped && before.map { displaced?.isSameFile(as: $0) == true } != true
        if isRaced, try !replacement.takeBack(data) { _ = try replacement.keepDisplaced() }
        replacement.discard { _ in }
        return placing != .refused && !isRaced
    }

    private enum Placing {
        case refused
        /// Placed unchecked: there was no file, or the file system can't swap.
        case placed
        /// Swapped, perhaps with another writer's edit.
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
