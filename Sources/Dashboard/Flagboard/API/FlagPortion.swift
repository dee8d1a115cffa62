import FeatureFlags
import FlagChanges
import FlagHistory

/// The part of a list of flags that a program asks for.
struct FlagPortion {
    /// The flag behind which it begins; `nil` for the start of the list.
    private let after: FlagKeyPath?
    /// How many flags at most; `nil` for all that there are.
    private let limit: Int?

    /// The most rows that may be asked for at once.
    static let largestLimit = 1000

    /// Reads the query of a request; empty items count as absent.
    ///
    /// - Throws: ``RequestError``, 400, where it can't be read.
    init(query: FormFields) throws(RequestError) {
        limit = try Self.limit(query)
        guard let text = query["after"], !text.isEmpty else {
            after = nil
            return
        }
        guard let key = FlagKeyPath(text: text) else {
            throw Dashboard.unreadable(["after is no key path; take it from the answer before."])
        }
        after = key
    }

    /// How many rows are asked for.
    ///
    /// - Returns: `nil` where the query says nothing of it.
    /// - Throws: ``RequestError``, 400, where it is no number, or too large.
    static func limit(_ query: FormFields) throws(RequestError) -> Int? {
        guard let text = query["limit"], !text.isEmpty else { return nil }
        guard let limit = Int(text), (1...largestLimit).contains(limit) else {
            throw Dashboard.unreadable(["limit is no number from 1 to \(largestLimit)."])
        }
        return limit
    }

    /// The flags of a list that are asked for, and the one behind which the next part begins.
    ///
    /// - Parameter lastChanges: The last change of each, where the order asks for it.
    /// - Returns: The flags; `next` is `nil` with the last of them.
    /// - Throws: ``RequestError``, 400, where the flag behind which to begin is gone, and the list's order does not tell where it was.
    func flags(
        of filter: FlagFilter, in view: CatalogueView, _ lastChanges: [FlagKeyPath: LastChange]
    ) throws(RequestError) -> (flags: ListedFlags, next: FlagKeyPath?) {
        let found = filter.entries(of: view).sorted(filter.sort, lastChanges)
        var start = 0
        if let after {
            // What is behind a flag is told from the list of all, since the flag may not be found any more by what is asked for.
            let all = ListedFlags(view.catalogue.entries, at: Array(view.catalogue.entries.indices))
                .sorted(filter.sort, lastChanges)
            let place = all.firstIndex { filter.sort == .key ? $0.key > after : $0.key == after }
            if let place {
                let behind = Set(all[(filter.sort == .key ? place : place + 1)...].lazy.map(\.key))
                start = found.firstIndex { behind.contains($0.key) } ?? found.endIndex
            } else if filter.sort == .key {
                start = found.endIndex
            } else {
                throw Dashboard.unreadable([
                    "after names no flag of this list: it is gone meanwhile. Ask without after, or with sort=key."
                ])
            }
        }
        let end = limit.map { min(start + $0, found.endIndex) } ?? found.endIndex
        return (found.part(start..<end), end < found.endIndex ? found[end - 1].key : nil)
    }
}
