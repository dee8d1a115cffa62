import Synchronization

/// Says what was done on the next page, with ways to undo it and to look at it.
struct FlashNote: Hashable, PagePart {
    let text: String
    var undo: Undo?
    var link: TextLink?

    /// The form that reverts a whole batch, refused where one of its values was changed since.
    struct Undo: Hashable, PagePart {
        let action: String
        let back: String
    }
}

final class FlashMessages: Sendable {
    static let query = "noted"

    private let waiting = FlashItems<FlashNote>()

    func add(_ text: String, to href: String) -> String { add(FlashNote(text: text), to: href) }

    func add(_ note: FlashNote, to href: String) -> String {
        PageLink.adding(Self.query, waiting.add(note), to: String(href.prefix { $0 != "#" }))
    }

    func take(_ token: String) -> FlashNote? { waiting.take(token) }
}

/// One-time items: a link opened again, or passed on, shows nothing.
final class FlashItems<Item: Sendable>: Sendable {
    private struct Storage {
        var waiting: [(token: String, item: Item)] = []
    }

    /// A browser fetches its own within a moment.
    private static var capacity: Int { 100 }
    private let storage = Mutex(Storage())

    func add(_ item: Item) -> String {
        storage.withLock { storage in
            // Nobody can guess it.
            let token = String(UInt64.random(in: .min ... .max), radix: 36)
            storage.waiting.append((token, item))
            if storage.waiting.count > Self.capacity { storage.waiting.removeFirst() }
            return token
        }
    }

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
