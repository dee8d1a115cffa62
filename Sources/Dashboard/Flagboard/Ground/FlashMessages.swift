import Synchronization

/// Sentences for the page that comes next, whichever that is, each told once.
final class FlashMessages: Sendable {
    /// The item of a query that asks for one.
    static let query = "noted"

    private let waiting = FlashItems<String>()

    /// Keeps a sentence.
    func add(_ text: String, to href: String) -> String {
        PageLink.adding(Self.query, waiting.add(text), to: href)
    }

    /// The sentence, which is given once.
    ///
    /// - Returns: `nil` where there is none.
    func take(_ token: String) -> String? { waiting.take(token) }
}

/// What pages have yet to tell, each once: a link that is opened again, or passed on, tells nothing.
final class FlashItems<Item: Sendable>: Sendable {
    private struct Storage {
        var next = 1
        var waiting: [(token: String, item: Item)] = []
    }

    /// How many wait at most; a browser fetches its own within a moment.
    private static var capacity: Int { 100 }
    private let storage = Mutex(Storage())

    /// Keeps an item.
    func add(_ item: Item) -> String {
        storage.withLock { storage in
            let token = String(storage.next)
            storage.next += 1
            storage.waiting.append((token, item))
            if storage.waiting.count > Self.capacity { storage.waiting.removeFirst() }
            return token
        }
    }

    /// The item, which is given once.
    ///
    /// - Parameter isWanted: Whether it is one that may be told here; it waits on where it is not.
    /// - Returns: `nil` where there is none.
    func take(_ token: String?, where isWanted: (Item) -> Bool = { _ in true }) -> Item? {
        storage.withLock { storage in
            guard let place = storage.waiting.firstIndex(where: { $0.token == token && isWanted($0.item) }) else {
                return nil
            }
            return storage.waiting.remove(at: place).item
        }
    }
}
