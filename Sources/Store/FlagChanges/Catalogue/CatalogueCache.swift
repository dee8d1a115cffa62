import FeatureFlags
import FeatureFlagsXML
import FlagHistory
import Foundation

/// The last catalogue, reused while the files are unchanged: one of many flags takes longer to make than a page.
struct CatalogueCache: Sendable {
    struct State: Hashable, Sendable {
        let manifest: Data?
        let values: [Data?]
        let problems: [FileProblem]
        /// Stand-ins for unusable files and values.
        let lastSound: [Data?]
        let lastGood: [[FlagKeyPath: FlagValue]]
        let brokenFlags: [String: [FlagKeyPath: FlagValueError]]
        let isReadOnly: Bool
        let appProviders: [AppProvider]

        func hasSameDefinitions(as other: State) -> Bool {
            manifest == other.manifest && problems == other.problems && isReadOnly == other.isReadOnly
                && appProviders == other.appProviders && values.count == other.values.count
        }
    }

    struct Shown: Sendable {
        let catalogue: FlagCatalogue
        let hiddenKeys: HiddenKeys
        let manifest: FlagManifest?
        let snapshots: [ValuesSnapshot]
    }

    private var last: (state: State, shown: Shown)?

    /// Returns the catalogue of a state, made if the state is new.
    ///
    /// `state` is `nil` if the files' bytes alone don't determine it. `make` gets the last catalogue if it had the same
    /// `isReadOnly`.
    mutating func shown(of state: State?, make: (Shown?) -> Shown) -> Shown {
        if let last, last.state == state { return last.shown }
        let similar = last.flatMap { $0.state.isReadOnly == state?.isReadOnly ? $0.shown : nil }
        let shown = make(similar)
        last = state.map { ($0, shown) }
        return shown
    }
}

extension CatalogueCache {
    mutating func shown(
        of workspace: Workspace, isReadOnly: Bool, _ options: ChangeServiceOptions
    ) -> Shown {
        shown(of: workspace.catalogueState(isReadOnly: isReadOnly)) { previous in
            let snapshots = workspace.snapshots(isReadOnly: isReadOnly)
            if let previous, let shown = workspace.shown(following: previous, snapshots, options) { return shown }
            let catalogue = FlagCatalogue(
                manifest: workspace.definitions?.content, snapshots: snapshots, showsInternal: options.showsInternal,
                unknownFields: workspace.definitions?.unknownFields ?? [])
            return workspace.shown(catalogue, snapshots, options)
        }
    }
}

extension Workspace {
    /// Updates the previous flags; `nil` if all of them must be computed again.
    fileprivate func shown(
        following previous: CatalogueCache.Shown, _ snapshots: [ValuesSnapshot], _ options: ChangeServiceOptions
    ) -> CatalogueCache.Shown? {
        let update = CatalogueUpdate(
            from: CatalogueUpdate.State(manifest: previous.manifest, snapshots: previous.snapshots),
            to: CatalogueUpdate.State(manifest: definitions, snapshots: snapshots),
            showsInternal: options.showsInternal)
        guard let catalogue = update.applied(to: previous.catalogue) else { return nil }
        guard catalogue.hasSameFlags(as: previous.catalogue) else { return shown(catalogue, snapshots, options) }
        return CatalogueCache.Shown(
            catalogue: catalogue, hiddenKeys: previous.hiddenKeys, manifest: definitions, snapshots: snapshots)
    }

    fileprivate func shown(
        _ catalogue: FlagCatalogue, _ snapshots: [ValuesSnapshot], _ options: ChangeServiceOptions
    ) -> CatalogueCache.Shown {
        let hidden = hiddenFlags(showsInternal: options.showsInternal)
        return CatalogueCache.Shown(
            catalogue: catalogue, hiddenKeys: HiddenKeys(hidden, of: definitions, besides: catalogue),
            manifest: definitions,
            snapshots: snapshots)
    }

    /// `nil` while the manifest is unreadable, since its earlier content counts then.
    func catalogueState(isReadOnly: Bool) -> CatalogueCache.State? {
        guard case .success = manifest.content else { return nil }
        return CatalogueCache.State(
            manifest: manifest.reading?.hash, values: values.map { $0.reading?.hash },
            problems: fileProblems, lastSound: values.map(\.lastSoundHash), lastGood: values.map(\.lastGood),
            brokenFlags: brokenFlags,
            isReadOnly: isReadOnly, appProviders: appProviders)
    }
}
