import FeatureFlags
import FlagChanges
import FlagHistory

protocol EventTeller: Sendable {
    /// Returns the new events (`text/event-stream`), or an empty text.
    mutating func next() async throws -> String
}

struct EventSource: EventTeller {
    /// The most rows sent one by one after a break.
    static let maximumRows = 500

    private let service: ChangeService
    /// `nil` if unknown.
    private var lastRow: Int64?
    /// The status shown by the listener; `nil` when unknown.
    private var mark: StatusFingerprint?

    /// - Parameters:
    ///   - lastRow: The listener's row ID; `nil` for the newest row.
    ///   - mark: The status shown by the listener; `nil` for the current one.
    init(_ service: ChangeService, after lastRow: String?, standing mark: StatusFingerprint? = nil) async throws {
        self.service = service
        self.mark = mark
        if let lastRow {
            self.lastRow = Int64(lastRow).flatMap { $0 >= 0 ? $0 : nil }
        } else {
            self.lastRow = try await service.lastShownRow()
        }
    }

    /// Leaves out flags that are internal now; one that has become internal causes a reload.
    mutating func next() async throws -> String {
        let overview: FlagOverview
        do throws(ChangeError) {
            overview = try await service.overview()
        } catch {
            // The history is damaged, as every page reports.
            let damage = StatusFingerprint([error.description])
            defer { mark = damage }
            return mark == damage ? "" : EventText.standing
        }
        // A listener reads the flags right after an event, so they must already include its row.
        let head = try overview.lastRow ?? service.history.chainHead().id
        return try standing(StatusFingerprint(overview)) + rows(upTo: head, overview.hiddenKeys)
    }

    private mutating func standing(_ now: StatusFingerprint) -> String {
        let isNews = mark != nil && mark != now
        mark = now
        return isNews ? EventText.standing : ""
    }

    private mutating func rows(upTo head: Int64, _ hiddenKeys: HiddenKeys) throws -> String {
        let history = service.history
        guard let last = lastRow, last <= head, try history.anchor(ofRow: last + 1) == nil else {
            lastRow = head
            return EventText.reload(upTo: head)
        }
        guard last < head else { return "" }
        let query = HistoryQuery(hiddenKeys: hiddenKeys)
        let records = try history.records(matching: query, after: last, limit: Self.maximumRows + 1)
            .filter { $0.id <= head }
        lastRow = head
        guard records.count <= Self.maximumRows else { return EventText.reload(upTo: head) }
        let isHiding = try Int(head - last) > records.count && hidesFlag(after: last, upTo: head)
        return try records.map(EventText.event).joined() + (isHiding ? EventText.reload(upTo: head) : "")
    }

    /// Looks for a row that made a flag internal, which the listener may still show.
    private func hidesFlag(after last: Int64, upTo head: Int64) throws -> Bool {
        let rows = try service.history.records(
            matching: HistoryQuery(hiddenKeys: []), after: last, limit: Self.maximumRows + 1)
        return rows.count > Self.maximumRows || rows.contains { $0.id <= head && $0.event.makesInternal }
    }
}

extension HistoryEvent {
    fileprivate var makesInternal: Bool {
        func isInternal(_ entry: FlagValue?) -> Bool {
            guard case .dictionary(let fields)? = entry else { return false }
            return fields["isInternal"] == .bool(true)
        }
        return provider == nil && isInternal(after) && !isInternal(before)
    }
}
