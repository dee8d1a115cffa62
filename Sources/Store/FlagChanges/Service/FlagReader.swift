import FeatureFlags
import FlagHistory
import Foundation

/// Reads flags and their history with caches, without delaying changes.
actor FlagReader {
    private let files: ServedFiles
    private let queue: WriteQueue
    private let context: ChangeContext
    private var staleOverrides = StaleOverrides()
    private var lastChangeLookups = HistoryLookupCache<HiddenKeys, LastChange>()
    private var restarts = PendingRestartCache()
    private var pastStates = PastStateCache()

    init(_ files: ServedFiles, _ queue: WriteQueue) {
        self.files = files
        self.queue = queue
        context = files.context
    }

    /// Returns the current files; `nil` for `patience` means the default wait for a large external edit.
    nonisolated func state(within patience: Duration? = nil) async throws(ChangeError) -> FilesState {
        await settleIfNeeded()
        return try await files.state(within: patience)
    }

    nonisolated func shownFlags() async throws(ChangeError) -> ShownFlags {
        if let flags = files.recent.flags { return flags }
        await settleIfNeeded()
        return try await files.shownFlags()
    }

    /// Goes through the queue of changes only after an interrupted one.
    private nonisolated func settleIfNeeded() async {
        if await files.isUnsettled { await queue.settleForReader() }
    }

    func overview() async throws(ChangeError) -> FlagOverview { overview(of: try await state()) }

    func overview(of state: FilesState) -> FlagOverview {
        let files = state.workspace.catalogueState(isReadOnly: context.options.showsReadOnly)
        let remembered = remembered(state, files)
        return FlagOverview(
            flags: state.flags, fileProblems: state.problems, saveProblem: state.saveFailure?.problem,
            lastRow: state.lastRow,
            pendingRestart: remembered.pendingRestart, unchanged: remembered.unchanged, linkedFiles: state.linkedFiles,
            conflicts: state.workspace.conflicts(
                besides: state.workspace.hiddenFlags(showsInternal: context.options.showsInternal)),
            files: files)
    }

    /// Returns facts from the history; none if unreadable, which is logged.
    private func remembered(
        _ state: FilesState, _ files: CatalogueCache.State?
    ) -> (pendingRestart: PendingRestart, unchanged: [FlagKeyPath: Date?]) {
        guard !state.flags.isStandstill else { return (.none, [:]) }
        let history = context.history
        do throws(HistoryStoreError) {
            return try history.atOneMoment { () throws(HistoryStoreError) in
                (
                    try restarts.pending(state.catalogue, files, history, upTo: state.lastRow) {
                        state.workspace.snapshots(isReadOnly: context.options.showsReadOnly)
                    },
                    try staleOverrides.unchanged(state.catalogue, files, history, now: context.options.clock())
                )
            }
        } catch {
            context.options.log("can't determine pending restarts and stale values: \(error.description)")
            return (.none, [:])
        }
    }

    /// Returns the last changes; not isolated, so that other readers don't wait.
    nonisolated func lastChanges(of overview: FlagOverview) async throws(HistoryStoreError) -> [FlagKeyPath: LastChange]
    {
        let (history, hiddenKeys) = (context.history, overview.hiddenKeys)
        var lookups = await lastChangeLookups
        let found = try lookups.found(overview.files, hiddenKeys, history, in: overview.catalogue) { _ in
            true
        } lookUp: { (keys) throws(HistoryStoreError) in
            try history.lastChanges(of: keys, hiddenKeys: hiddenKeys)
        }
        await keep(lookups)
        return found
    }

    private func keep(_ lookups: HistoryLookupCache<HiddenKeys, LastChange>) { lastChangeLookups = lookups }

    func pastState(of state: PastStateCache.State?) -> PastState? { pastStates.flags(of: state) }

    func keep(_ flags: PastState, for state: PastStateCache.State?) { pastStates.keep(flags, for: state) }
}

extension ChangeService {
    package func lastChanges(of overview: FlagOverview) async throws(HistoryStoreError) -> [FlagKeyPath: LastChange] {
        try await reader.lastChanges(of: overview)
    }

    package func preview(_ request: ChangeRequest) async throws(ChangeError) -> [ChangePreview] {
        let state = try await reader.state()
        var plan = ChangePlan(context, on: state.workspace, unsettled: state.unsettled, isTrial: true)
        let hiddenKeys = HiddenKeys(flags: state.workspace.hiddenFlags(showsInternal: showsInternal))
        return plan.add(request.naming(files)).map { $0.preview.explained(in: context, hiddenKeys: hiddenKeys) }
    }

    /// Returns `nil` for a missing or hidden flag.
    package func storedDefinition(of key: FlagKeyPath) async throws(ChangeError) -> StoredDefinition? {
        try await storedDefinitions(of: [key]).first
    }

    package func storedDefinitions(of keys: [FlagKeyPath]) async throws(ChangeError) -> [StoredDefinition] {
        let workspace = try await reader.state().workspace
        return keys.compactMap { key in
            guard let flag = workspace.storedFlag(key),
                let definition = workspace.definition(of: key, showsInternal: showsInternal)
            else { return nil }
            return StoredDefinition(definition: definition, revision: FlagRevision(of: flag.entry))
        }
    }
}
