/// The names of providers in the history, and elsewhere.
///
/// The history keeps one name for the main file's provider, so that its rows stay the file's when its environment's
/// name comes, changes or goes.
package struct ProviderNames: Hashable, Sendable {
    package static let same = ProviderNames(kept: nil, shown: nil)

    private let kept: String?
    private let shown: String?

    private init(kept: String?, shown: String?) { (self.kept, self.shown) = (kept, shown) }

    package init(keeping kept: String, as shown: String) {
        self = kept == shown ? .same : ProviderNames(kept: kept, shown: shown)
    }

    /// The rows of another file that once had the name ``shown``.
    private var namesake: String? { shown.map { "\($0) (another file)" } }

    package func kept(_ name: String) -> String {
        guard let kept, let shown else { return name }
        if name == shown { return kept }
        return name == namesake ? shown : name
    }

    package func shown(_ name: String) -> String {
        guard let kept, let shown, let namesake else { return name }
        if name == kept { return shown }
        return name == shown ? namesake : name
    }

    func kept(_ event: HistoryEvent) -> HistoryEvent { renamed(event, kept) }

    func shown(_ event: HistoryEvent) -> HistoryEvent { renamed(event, shown) }

    func shown(_ record: HistoryRecord) -> HistoryRecord {
        self == .same
            ? record
            : HistoryRecord(
                id: record.id, event: shown(record.event), previousHash: record.previousHash, hash: record.hash,
                isAltered: record.isAltered)
    }

    private func renamed(_ event: HistoryEvent, _ name: (String) -> String) -> HistoryEvent {
        guard self != .same, let provider = event.provider else { return event }
        var event = event
        event.provider = name(provider)
        return event
    }
}
