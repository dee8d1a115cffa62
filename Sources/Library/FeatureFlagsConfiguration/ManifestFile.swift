#if Configuration
    import DurableFiles
    import FeatureFlagsXML
    import Foundation
    import Synchronization

    /// A manifest that is read again when it has changed; one that is half written or not valid leaves the last sound one in force.
    final class ManifestFile: Sendable {
        private struct Known {
            var contents: AtomicFile.Contents
            var manifest: FlagManifest
        }

        private let url: URL
        private let known: Mutex<Known>
        private let watcher: FileWatcher

        /// Reads a manifest.
        init(_ url: URL) throws {
            self.url = url
            watcher = FileWatcher([url])
            guard let contents = try AtomicFile.readIfThere(url, maximumSize: PropertyListDocument.maximumSize) else {
                throw CocoaError(.fileNoSuchFile, userInfo: [NSFilePathErrorKey: url.path(percentEncoded: false)])
            }
            known = Mutex(Known(contents: contents, manifest: try FlagManifest(source: contents.data)))
        }

        /// Whether it can be watched.
        var isWatched: Bool { watcher.isComplete }

        /// The moments at which it may have changed.
        func changes() -> AsyncStream<Void> { watcher.changes() }

        /// What it says now, or last said while it was sound.
        func current() -> FlagManifest {
            known.withLock { known in
                let read = Result { () throws -> Known? in
                    if known.contents.isSettled, try AtomicFile.signature(of: url) == known.contents.signature {
                        return nil
                    }
                    guard
                        let contents = try AtomicFile.readIfThere(
                            url, maximumSize: PropertyListDocument.maximumSize, known: [known.contents.data])
                    else { return nil }
                    let isSame = contents.known != nil
                    return Known(
                        contents: contents, manifest: isSame ? known.manifest : try FlagManifest(source: contents.data))
                }
                if case .success(let new?) = read { known = new }
                return known.manifest
            }
        }
    }
#endif
