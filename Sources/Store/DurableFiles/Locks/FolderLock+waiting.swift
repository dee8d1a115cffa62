import Foundation

extension FolderLock {
    /// Turns in some folders, ended with the value.
    package struct Held: ~Copyable, Sendable {
        private let folders: [OpenFile]

        fileprivate init(_ folders: [OpenFile]) {
            self.folders = folders
        }

        package consuming func end() {}
    }

    /// Takes turns in the folders of some files without blocking a thread, or throws and holds none.
    ///
    /// All processes lock in the same order, so that no two wait for each other. A free folder is taken even after the
    /// deadline.
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
                throw FileAccessError(.folderLocked, path: url.path, action: "replace")
            }
            // Detached, so that a cancelled caller's work is still done.
            await Task.detached { [pause] in try? await Task.sleep(for: pause) }.value
            pause = min(pause * 2, .milliseconds(4))
        }
    }
}

extension AtomicFile {
    /// Removes killed processes' temporary files beside files whose writers all use ``FolderLock``.
    package static func removeAbandoned(beside urls: [URL], log: (String) -> Void) {
        for url in urls {
            let result = Result { () throws(FileAccessError) in
                guard try hasFolder(url), try !temporaries(of: nil, beside: url).isEmpty else { return }
                // Within a turn, no living process has a temporary file.
                try FolderLock.take(beside: url) {
                    Result { () throws(FileAccessError) in try removeTemporaries(of: nil, beside: url) }
                }.get()
            }
            if case .failure(let error) = result { log(error.description) }
        }
    }
}
