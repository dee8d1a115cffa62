#if Configuration
    import DurableFiles
    import FeatureFlagsXML
    import Foundation
    import Synchronization

    /// A manifest that is reloaded when it changes; a partial or invalid one leaves the last valid one in force.
    final class ManifestFile: Sendable {
        private struct Known {
            var contents: AtomicFile.Contents
            var manifest: FlagManifest
        }

        private let url: URL
        private let known: Mutex<Known>
        private let watcher: FileWatcher

        init(_ url: URL) throws {
            self.url = url
            watcher = FileWatcher([url])
            guard let contents = try AtomicFile.readIfThere(url, maximumSize: PropertyListDocument.maximumSize) else {
                throw CocoaError(.fileNoSuchFile, userInfo: [NSFilePathErrorKey: url.path(percentEncoded: false)])
            }
            known = Mutex(Known(contents: contents, manifest: try FlagManifest(source: contents.data)))
        }

        var isWatched: Bool { watcher.isComplete }

        func changes() -> AsyncStream<Void> { watcher.changes() }

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

#if Configuration
    /// The moments when files may have changed, from several sources.
    struct FileChanges: Sendable {
        /// An element for each moment, or for several in quick succession.
        let wakes: AsyncStream<Void>
        private let tasks: [Task<Void, Never>]

        init(_ sources: [@Sendable (AsyncStream<Void>.Continuation) async -> Void]) {
            let (wakes, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
            self.wakes = wakes
            tasks = sources.map { source in Task { await source(wake) } }
        }

        func end() {
            for task in tasks { task.cancel() }
        }
    }

    /// A sequence of a current state and each different later one.
    struct Renewals<Element: Sendable>: AsyncSequence, Sendable {
        typealias Failure = Never

        let wakes: AsyncStream<Void>
        let current: @Sendable () -> Element
        let isSame: @Sendable (Element, Element) -> Bool

        func makeAsyncIterator() -> Iterator { Iterator(renewals: self, wakes: wakes.makeAsyncIterator()) }

        struct Iterator: AsyncIteratorProtocol {
            let renewals: Renewals
            var wakes: AsyncStream<Void>.Iterator
            private var last: Element?

            init(renewals: Renewals, wakes: AsyncStream<Void>.Iterator) {
                (self.renewals, self.wakes) = (renewals, wakes)
            }

            mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
                while true {
                    if last != nil, await wakes.next(isolation: actor) == nil { return nil }
                    let current = renewals.current()
                    if let last, renewals.isSame(last, current) { continue }
                    last = current
                    return current
                }
            }
        }
    }
#endif
