import FlagChanges
import FlagHistory
import Synchronization

/// Says what was done on the next page, with ways to undo it, to look at it and to give the reason.
struct FlashNote: Hashable, PagePart {
    let text: String
    /// Set if the notice is about one flag and nothing near it names the flag.
    var flag: String?
    var undo: Undo?
    var link: TextLink?
    var reasonForm: ReasonForm?

    /// The form that reverts a whole batch, refused where one of its values was changed since.
    struct Undo: Hashable, PagePart {
        let action: String
        let back: String
    }
}

/// The form that adds a reason to a change, or to all changes of its batch.
struct ReasonForm: Hashable, PagePart {
    let action: String
    let field: String
    /// `nil` for the change's page.
    let back: String?
    let reasonLimit: Int
    /// The accessible name of the button for this change alone; `nil` without it.
    let meaning: String?
    /// The button for all changes of the batch; `nil` without it.
    let batchLabel: String?
    let typed: String
    let problem: String?
    let isOpen: Bool

    /// - Parameters:
    ///   - change: A change of the batch.
    ///   - count: The changes of flags in the batch.
    ///   - isForBatch: `true` if the reason can only be for all of them.
    init(
        for change: HistoryRecord.ID, of count: Int, isForBatch: Bool = false, back: String? = nil,
        typed: String = "", problem: String? = nil, isOpen: Bool = false
    ) {
        action = PageLink.reason(change)
        field = "reason-\(change)"
        self.back = back
        reasonLimit = Change.longestReason
        meaning = isForBatch ? nil : "Save the reason for change \(change)"
        batchLabel =
            switch count {
            case ...1: isForBatch ? "Save" : nil
            case 2: "Save for both changes"
            default: "Save for all \(count) changes"
            }
        self.typed = typed
        self.problem = problem
        self.isOpen = isOpen
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
