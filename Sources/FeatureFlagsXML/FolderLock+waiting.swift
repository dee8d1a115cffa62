import Foundation

extension FolderLock {
    /// Turns in some folders, which end with it.
    package struct Held: ~Copyable, Sendable {
        private let descriptors: [Int32]

        fileprivate init(_ descriptors: [Int32]) {
            self.descriptors = descriptors
        }

        deinit {
            for descriptor in descriptors { close(descriptor) }
        }

        /// Ends the turns.
        package consuming func end() {}
    }

    /// A folder, open to be locked.
    private struct Folder {
        let descriptor: Int32
        let device, inode: UInt64
        /// The file whose folder it is.
        let url: URL

        func isBefore(_ other: Folder) -> Bool { (device, inode) < (other.device, other.inode) }
        func isSame(as other: Folder) -> Bool { (device, inode) == (other.device, other.inode) }
    }

    /// Takes turns in the folders of some files, waiting for others without keeping a thread.
    ///
    /// Several folders are taken in an order that every process has, so that no two wait for each other. One that is free
    /// is taken even after the deadline.
    ///
    /// - Parameters:
    ///   - urls: The files; none are no folder to wait for.
    ///   - deadline: When to give up.
    /// - Returns: The turns, to be ended.
    /// - Throws: Where a folder can't be opened, or another program does not end its turn; none is held then.
    package static func take(
        beside urls: some Sequence<URL>, until deadline: ContinuousClock.Instant
    ) async throws(FileAccessError) -> Held {
        var folders: [Folder] = []
        do throws(FileAccessError) {
            for url in urls {
                let folder = try open(beside: url)
                if folders.contains(where: folder.isSame) { close(folder.descriptor) } else { folders.append(folder) }
            }
            folders.sort { $0.isBefore($1) }
            for folder in folders { try await lock(folder, until: deadline) }
        } catch {
            for folder in folders { close(folder.descriptor) }
            throw error
        }
        return Held(folders.map(\.descriptor))
    }

    private static func open(beside url: URL) throws(FileAccessError) -> Folder {
        let folder = url.deletingLastPathComponent().path
        let descriptor = Foundation.open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw FileAccessError(.init(errorNumber: errno), path: folder, action: "opened")
        }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            let cause = FileAccessError.Cause(errorNumber: errno)
            close(descriptor)
            throw FileAccessError(cause, path: folder, action: "opened")
        }
        return Folder(
            descriptor: descriptor, device: UInt64(truncatingIfNeeded: status.st_dev), inode: UInt64(status.st_ino),
            url: url)
    }

    private static func lock(_ folder: Folder, until deadline: ContinuousClock.Instant) async throws(FileAccessError) {
        var pause = Duration.microseconds(250)
        while flock(folder.descriptor, LOCK_EX | LOCK_NB) != 0 {
            guard errno == EWOULDBLOCK || errno == EINTR else {
                throw FileAccessError(
                    .init(errorNumber: errno), path: folder.url.deletingLastPathComponent().path, action: "locked")
            }
            guard ContinuousClock.now < deadline else {
                throw FileAccessError(.folderLocked, path: folder.url.path, action: "replaced")
            }
            // Whoever waits was asked for something that is to be done, be it that nobody waits for the answer any more.
            await Task.detached { [pause] in try? await Task.sleep(for: pause) }.value
            pause = min(pause * 2, .milliseconds(4))
        }
    }
}
