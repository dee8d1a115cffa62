import FeatureFlags
import FlagHistory
import Foundation

/// Reads the flags of a service and what the history tells of them, with what it found out before, for as long as that holds.
///
/// However long a look into the history takes, changes don't wait for it.
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

    /// The files as they are now.
    ///
    /// - Parameter patience: How long a large edit by another program is waited for; `nil` for as long as readers usually do.
    /// - Throws: ``ChangeError`` where the history is damaged.
    nonisolated func state(within patience: Duration? = nil) async throws(ChangeError) -> FilesState {
        await queue.settleForReader()
        return try await files.state(within: patience)
    }

    /// The flags as they are now, without a look at what the history tells of them.
    ///
    /// - Throws: ``ChangeError`` where the history is damaged.
    nonisolated func shownFlags() async throws(ChangeError) -> ShownFlags {
        if let flags = files.recent.flags { return flags }
        await queue.settleForReader()
        return try await files.shownFlags()
    }

    /// The flags as they are now, with what the history remembers of them.
    ///
    /// - Throws: ``ChangeError`` where the history is damaged.
    func overview() async throws(ChangeError) -> FlagOverview { overview(of: try await state()) }

    /// The flags of a state, with what the history remembers of them.
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

    /// What the history tells of the flags beside their values; nothing where it can't be read, which is announced then.
    private func remembered(
        _ state: FilesState, _ files: CatalogueCache.State?
    ) -> (pendingRestart: PendingRestart, unchanged: [FlagKeyPath: Date?]) {
        guard !state.flags.isStandstill else { return (.none, [:]) }
        let history = context.history
        do throws(HistoryStoreError) {
            return (
                try restarts.pending(state.catalogue, files, history, upTo: state.lastRow) {
                    state.workspace.snapshots(isReadOnly: context.options.showsReadOnly)
                },
                try staleOverrides.unchanged(state.catalogue, files, history, now: context.options.clock())
            )
        } catch {
            context.options.log("what waits for a restart, and what is stale, can't be told: \(error.description)")
            return (.none, [:])
        }
    }

    /// The last change of each flag that may be seen; other readers don't wait for it either.
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

    /// The flags of a moment that was asked for before; `nil` where they are not known.
    func pastState(of state: PastStateCache.State?) -> PastState? { pastStates.flags(of: state) }

    /// Keeps the flags of a moment.
    func keep(_ flags: PastState, for state: PastStateCache.State?) { pastStates.keep(flags, for: state) }
}

extension ChangeService {
    /// The last change of each flag that may be seen.
    ///
    /// - Parameter overview: The flags.
    /// - Returns: The changes; none for a flag that was not changed since the history began.
    /// - Throws: Why they can't be read.
    public func lastChanges(of overview: FlagOverview) async throws(HistoryStoreError) -> [FlagKeyPath: LastChange] {
        try await reader.lastChanges(of: overview)
    }

    /// What the changes of a request would do if they were made now; nothing is written, and nothing is recorded as denied.
    ///
    /// - Parameter request: The changes, and who would ask.
    /// - Returns: Each change, with what is stored before and after it, or why it would be refused. Where one is refused,
    ///   ``apply(_:)`` makes none.
    /// - Throws: ``ChangeError`` where the history is damaged.
    public func preview(_ request: ChangeRequest) async throws(ChangeError) -> [ChangePreview] {
        let state = try await reader.state()
        var plan = ChangePlan(context, on: state.workspace, unsettled: state.unsettled)
        let hiddenKeys = HiddenKeys(flags: state.workspace.hiddenFlags(showsInternal: showsInternal))
        return plan.add(request).map { $0.preview.explained(in: context, hiddenKeys: hiddenKeys) }
    }

    /// The definition of a flag as the manifest holds it now.
    ///
    /// - Parameter key: The flag.
    /// - Returns: `nil` where the manifest has none, or none that may be seen.
    /// - Throws: ``ChangeError`` where the history is damaged.
    public func storedDefinition(of key: FlagKeyPath) async throws(ChangeError) -> StoredDefinition? {
        try await storedDefinitions(of: [key]).first
    }

    /// The definitions of flags as the manifest holds them now.
    ///
    /// - Parameter keys: The flags.
    /// - Returns: The definitions in the order of the flags, less those of flags that have none, or none that may be seen.
    /// - Throws: ``ChangeError`` where the history is damaged.
    public func storedDefinitions(of keys: [FlagKeyPath]) async throws(ChangeError) -> [StoredDefinition] {
        let workspace = try await reader.state().workspace
        return keys.compactMap { key in
            guard let flag = workspace.storedFlag(key),
                let definition = workspace.definition(of: key, showsInternal: showsInternal)
            else { return nil }
            return StoredDefinition(definition: definition, revision: FlagRevision(of: flag.entry))
        }
    }
}
