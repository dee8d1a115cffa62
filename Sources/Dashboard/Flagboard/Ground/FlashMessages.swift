import Synchronization

/// One-time messages for the next page.
final class FlashMessages: Sendable {
    static let query = "noted"

    private let waiting = FlashItems<String>()

    func add(_ text: String, to href: String) -> String {
        PageLink.adding(Self.query, waiting.add(text), to: href)
    }

    func take(_ token: String) -> String? { waiting.take(token) }
}

/// One-time items: a link opened again, or passed on, shows nothing.
final class FlashItems<Item: Sendable>: Sendable {
    private struct Storage {
        var waiting: [(token: String, item: Item)] = []
    }

    /// Limit of waiting items; a browser fetches its own within a moment.
    private static var capacity: Int { 100 }
    private let storage = Mutex(Storage())

    func add(_ item: Item) -> String {
        storage.withLock { storage in
            // Nobody can guess another's.
            let token = String(UInt64.random(in: .min ... .max), radix: 36)
            storage.waiting.append((token, item))
            if storage.waiting.count > Self.capacity { storage.waiting.removeFirst() }
            return token
        }
    }

    /// Removes and returns an item.
    ///
    /// - Parameter isWanted: An item that fails this test keeps waiting.
    func take(_ token: String?, where isWanted: (Item) -> Bool = { _ in true }) -> Item? {
        storage.withLock { storage in
            guard let place = storage.waiting.firstIndex(where: { $0.token == token && isWanted($0.item) }) else {
                return nil
            }
            return storage.waiting.remove(at: place).item
        }
    }
}
