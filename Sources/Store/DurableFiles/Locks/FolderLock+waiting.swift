import Foundation

extension FolderLock {
    /// Turns in some folders, which end with it.
    package struct Held: ~Copyable, Sendable {
        private let folders: [OpenFile]

        fileprivate init(_ folders: [OpenFile]) {
            self.folders = folders
        }

        /// Ends the turns.
        package consuming func end() {}
    }

    /// Takes turns in the folders of some files, waiting for others without keeping a thread.
    ///
    /// Several folders are taken in an order that every process has, so that no two wait for each other. One that is free
    /// is taken even after the deadline.
    ///
    /// - Parameter urls: The files; none are no folder to wait for.
    /// - Throws: Where a folder can't be opened, or another program does not end its turn; none is held then.
    package static func take(
        beside urls: some Sequence<URL>, until deadline: ContinuousClock.Instant
    ) async throws(FileAccessError) -> Held {
        var folders: [AtomicFile.Identity: (folder: OpenFile, url: URL)] = [:]
        for url in urls {
            let folder = try OpenFile(url.deletingLastPathComponent(), for: .folder)
            let identity = try folder.signature().identity
            if folders[identity] == nil { folders[identity] = (folder, url) }
        }
        let ordered = folders.sorted { $0.key < $1.key }.map(\.value)
        for (folder, url) in ordered { try await lock(folder, beside: url, until: deadline) }
        return Held(ordered.map(\.folder))
    }

    private static func lock(
        _ folder: OpenFile, beside url: URL, until deadline: ContinuousClock.Instant
    ) async throws(FileAccessError) {
        var pause = Duration.microseconds(250)
        while try !folder.tryLock() {
            guard ContinuousClock.now < deadline else {
                throw FileAccessError(.folderLocked, path: url.path, action: "replaced")
            }
            // What waits was asked for something that is to be done, also where the one who asked is gone.
            await Task.detached { [pause] in try? await Task.sleep(for: pause) }.value
            pause = min(pause * 2, .milliseconds(4))
        }
    }
}

extension AtomicFile {
    /// Removes what ``replace(_:with:mode:)`` left beside files whose writers all take turns (``FolderLock``), when their process was
    /// ended.
    package static func removeAbandoned(beside urls: [URL], log: (String) -> Void) {
        for url in urls {
            let result = Result { () throws(FileAccessError) in
                guard try hasFolder(url), try !temporaries(of: nil, beside: url).isEmpty else { return }
                // What is there within a turn is no living process's.
                try FolderLock.take(beside: url) {
                    Result { () throws(FileAccessError) in try removeTemporaries(of: nil, beside: url) }
                }.get()
            }
            if case .failure(let error) = result { log(error.description) }
        }
    }
}
