import DurableFiles
import FeatureFlags
import FlagHistory
import Foundation

extension ChangeService {
    /// Returns the flags of a moment beside the current ones, without delaying changes.
    ///
    /// `nil` if the change that names the moment is missing or hidden. The moment may be partly unknown
    /// (``HistoryMoment/isKnown``).
    package func flags(at instant: HistoryInstant) async throws -> PastState? {
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
        // Flags computed during a change may or may not include it.
        if try history.chainHead().id == moment.head { await reader.keep(flags, for: basis) }
        return flags
    }
}

struct PastStateCache {
    struct State: Hashable, Sendable {
        let files: CatalogueCache.State
        let fileProblems: [FileProblem]
        let head: Int64
        let row: Int64
    }

    private static let most = 4
    private var kept: [(state: State, flags: PastState)] = []

    func flags(of state: State?) -> PastState? {
        kept.first { $0.state == state }?.flags
    }

    mutating func keep(_ flags: PastState, for state: State?) {
        guard let state, self.flags(of: state) == nil else { return }
        kept = kept.suffix(Self.most - 1) + [(state, flags)]
    }
}

final class EmptyHistory: Sendable {
    let store: HistoryStore
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        store = try HistoryStore(url: folder.url.appending(path: "empty.sqlite"))
    }

    deinit { store.close() }
}

extension ChangeService {
    /// Records a restart of the app, after which only changes after `row` wait.
    ///
    /// `nil` for `row`, the newest that the app has read, means the last one.
    package func recordRestart(after row: Int64? = nil, by author: ChangeAuthor) async throws(ChangeError) {
        _ = try await reader.state()
        if isReadOnly { throw context.readOnlyRefusal() }
        guard author.role != .viewer else {
            throw ChangeError(
                .notAllowed,
                "\(author.name.shortened(to: 100)) has the role \(author.role.rawValue) and can't report a restart.",
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
