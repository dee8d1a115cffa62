import Synchronization

/// Sentences for the page that comes next, whichever that is, each told once.
final class PassingNotes: Sendable {
    private struct Storage {
        var next = 1
        var waiting: [(token: String, text: String)] = []
    }

    /// The item of a query that asks for one.
    static let query = "noted"
    /// How many wait at most; a browser fetches its own within a moment.
    private static let capacity = 100
    private let storage = Mutex(Storage())

    /// Keeps a sentence.
    ///
    /// - Parameters:
    ///   - text: The sentence.
    ///   - href: The page that is to tell it.
    /// - Returns: The page's address, which asks for it.
    func add(_ text: String, to href: String) -> String {
        storage.withLock { storage in
            let token = String(storage.next)
            storage.next += 1
            storage.waiting.append((token, text))
            if storage.waiting.count > Self.capacity { storage.waiting.removeFirst() }
            return PageLink.adding(Self.query, token, to: href)
        }
    }

    /// The sentence, which nobody gets a second time.
    func take(_ token: String) -> String? {
        storage.withLock { storage in
            storage.waiting.firstIndex { $0.token == token }.map { storage.waiting.remove(at: $0).text }
        }
    }
}
