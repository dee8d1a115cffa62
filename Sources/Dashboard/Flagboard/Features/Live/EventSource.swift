import FeatureFlags
import FlagChanges
import FlagHistory

/// What one listener is told, bit by bit.
protocol EventTeller: Sendable {
    /// What is new, as events (`text/event-stream`); empty where there is nothing.
    mutating func next() async throws -> String
}

/// What one listener is told, from the row on that it has.
struct EventSource: EventTeller {
    /// How many rows are told one by one after a break.
    static let maximumRows = 500

    private let service: ChangeService
    /// The last row that the listener has; `nil` where that is not known.
    private var lastRow: Int64?
    /// What the listener knows that every page says; `nil` where that is not known.
    private var mark: StatusFingerprint?

    /// Begins after a row.
    ///
    /// - Parameters:
    ///   - lastRow: What the listener says it has: the number of a row; `nil` for whatever there is now.
    ///   - mark: What the listener knows that every page says; `nil` for whatever they say now.
    init(_ service: ChangeService, after lastRow: String?, standing mark: StatusFingerprint? = nil) async throws {
        self.service = service
        self.mark = mark
        if let lastRow {
            self.lastRow = Int64(lastRow).flatMap { $0 >= 0 ? $0 : nil }
        } else {
            self.lastRow = try await service.lastShownRow()
        }
    }

    /// What is new.
    ///
    /// Internal flags are left out as they are at this moment; that one has become so is told as a word to load all anew.
    ///
    /// - Returns: Events; empty where there is nothing.
    mutating func next() async throws -> String {
        let overview: FlagOverview
        do throws(ChangeError) {
            overview = try await service.overview()
        } catch {
            // The history is damaged, which every page says.
            let damage = StatusFingerprint([error.description])
            defer { mark = damage }
            return mark == damage ? "" : EventText.standing
        }
        // Who is told of a row reads the flags at once, and finds them with that row.
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

    /// Whether one of the rows that are not told has made a flag internal, which may have been seen before.
    private func hidesFlag(after last: Int64, upTo head: Int64) throws -> Bool {
        let rows = try service.history.records(
            matching: HistoryQuery(hiddenKeys: []), after: last, limit: Self.maximumRows + 1)
        return rows.count > Self.maximumRows || rows.contains { $0.id <= head && $0.event.makesInternal }
    }
}

extension HistoryEvent {
    /// Whether it is about a definition that has become internal.
    fileprivate var makesInternal: Bool {
        func isInternal(_ entry: FlagValue?) -> Bool {
            guard case .dictionary(let fields)? = entry else { return false }
            return fields["isInternal"] == .bool(true)
        }
        return provider == nil && isInternal(after) && !isInternal(before)
    }
}
