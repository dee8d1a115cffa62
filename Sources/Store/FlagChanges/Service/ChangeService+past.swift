import DurableFiles
import FeatureFlags
import FlagHistory
import Foundation

extension ChangeService {
    /// The flags as they were at a moment, beside those of now.
    ///
    /// However long the history is, changes don't wait for it.
    ///
    /// - Parameter instant: The moment.
    /// - Returns: The flags, whatever the history still knows of the moment (``HistoryMoment/isKnown``); `nil` where the
    ///   change that names it is not there, or is hidden.
    /// - Throws: ``ChangeError`` where the history is damaged, ``HistoryStoreError`` where it can't be read.
    public func flags(at instant: HistoryInstant) async throws -> PastState? {
        let state = try await reader.state()
        let overview = await reader.overview(of: state)
        let (moment, time): (HistoryMoment, Date)
        switch instant {
        case .time(let date): (moment, time) = (try history.moment(at: date), date)
        case .before(let row):
            guard let found = try history.moment(before: row, hiddenKeys: overview.hiddenKeys) else { return nil }
            (moment, time) = (found.moment, found.end)
        }
        let basis = overview.files.map {
            PastStateCache.State(files: $0, fileProblems: overview.fileProblems, head: moment.head, row: moment.lastRow)
        }
        if let known = await reader.pastState(of: basis) { return known.at(time, moment) }
        let past = PastStateBuilder(
            workspace: state.workspace, now: overview.catalogue, history: history, showsInternal: showsInternal)
        let flags = try await past.flags(at: moment, time: time)
        // What came meanwhile may count or not.
        if try history.chainHead().id == moment.head { await reader.keep(flags, for: basis) }
        return flags
    }
}

/// The flags of the last few moments that were asked for: a person who looks at a moment searches it, turns its pages and takes
/// it away.
struct PastStateCache {
    /// What the flags of a moment follow from.
    struct State: Hashable, Sendable {
        let files: CatalogueCache.State
        /// Why nothing can be changed now: the flags of now say so.
        let fileProblems: [FileProblem]
        /// The newest row of the history.
        let head: Int64
        /// The last row before the moment.
        let row: Int64
    }

    private static let most = 4
    private var kept: [(state: State, flags: PastState)] = []

    /// The flags of a moment, where they are known.
    func flags(of state: State?) -> PastState? {
        kept.first { $0.state == state }?.flags
    }

    /// Keeps them.
    mutating func keep(_ flags: PastState, for state: State?) {
        guard let state, self.flags(of: state) == nil else { return }
        kept = kept.suffix(Self.most - 1) + [(state, flags)]
    }
}

/// A history without a row, for files that have none yet and are only looked at: it is among the temporary files, and goes away
/// with this.
final class EmptyHistory: Sendable {
    let store: HistoryStore
    private let folder: TemporaryFolder

    /// Makes the history.
    init() throws {
        folder = try TemporaryFolder()
        store = try HistoryStore(url: folder.url.appending(path: "empty.sqlite"))
    }

    deinit { store.close() }
}

extension ChangeService {
    /// Keeps that the app was restarted, so that nothing waits for that any more, apart from changes after `row`.
    ///
    /// - Parameters:
    ///   - row: The newest row of the history that the app has taken up (``PendingRestart/lastRow``); `nil` for the newest
    ///     that there is.
    ///   - author: Who reports it: an editor or an admin.
    /// - Throws: ``ChangeError`` where the author may not, or it can't be kept.
    public func recordRestart(after row: Int64? = nil, by author: ChangeAuthor) async throws(ChangeError) {
        _ = try await reader.state()
        if isReadOnly { throw .readOnly() }
        guard author.role != .viewer else {
            throw ChangeError(
                .notAllowed,
                "\(author.name.shortened(to: 100)) has the role \(author.role.rawValue) and may not report a restart.",
                remedy: "Ask an editor or an admin to do it.")
        }
        let (history, now) = (history, context.options.clock())
        let result = await context.onDisk {
            Result { () throws(HistoryStoreError) in
                try history.recordRestart(after: row, at: now, actor: author.name)
            }
        }
        do {
            try result.get()
        } catch {
            throw ChangeError(storing: error)
        }
        await served.tellRestart()
    }
}
