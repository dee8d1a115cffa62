import FeatureFlags
import FeatureFlagsXML
import FlagHistory
import Foundation

/// The last catalogue that was made, for as long as the files hold the same: with thousands of flags, it takes longer to
/// make than a page.
struct CatalogueCache: Sendable {
    /// What a catalogue follows from.
    struct State: Hashable, Sendable {
        let manifest: Data?
        let values: [Data?]
        /// Why files can't be read.
        let faults: [String]
        /// What stands for files, and for values, that can't be used.
        let lastSound: [Data?]
        let lastGood: [[FlagKeyPath: FlagValue]]
        let brokenFlags: [String: [FlagKeyPath: FlagValueError]]
        let isReadOnly: Bool
        let appProviders: [AppProvider]

        /// Whether nothing but values of files is other than in another state.
        func hasSameDefinitions(as other: State) -> Bool {
            manifest == other.manifest && faults == other.faults && isReadOnly == other.isReadOnly
                && appProviders == other.appProviders && values.count == other.values.count
        }
    }

    /// A catalogue with what follows from it, and what it was made of.
    struct Shown: Sendable {
        let catalogue: FlagCatalogue
        let hiddenKeys: HiddenKeys
        let manifest: FlagManifest?
        let snapshots: [ValuesSnapshot]
    }

    private var last: (state: State, shown: Shown)?

    /// The catalogue of a state, made anew where it is another one than the last time.
    ///
    /// - Parameters:
    ///   - state: The state; `nil` where it can't be told by the files' bytes alone.
    ///   - make: Makes it; gets the last one where that may be changed by the same people.
    mutating func shown(of state: State?, make: (Shown?) -> Shown) -> Shown {
        if let last, last.state == state { return last.shown }
        let similar = last.flatMap { $0.state.isReadOnly == state?.isReadOnly ? $0.shown : nil }
        let shown = make(similar)
        last = state.map { ($0, shown) }
        return shown
    }
}

extension CatalogueCache {
    /// The flags of some files that may be seen, and what the history must not show.
    ///
    /// - Returns: The flags, made anew where the files are others than the last time, as far as they differ.
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
    /// The flags where nothing but values and the definitions of some flags has changed; `nil` where all of them are to be
    /// worked out anew.
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
            catalogue: catalogue, hiddenKeys: HiddenKeys(hidden, besides: catalogue), manifest: definitions,
            snapshots: snapshots)
    }

    /// What the catalogue follows from; `nil` where the manifest can't be read, and so what was read of it before counts too.
    func catalogueState(isReadOnly: Bool) -> CatalogueCache.State? {
        guard case .success = manifest.content else { return nil }
        return CatalogueCache.State(
            manifest: manifest.reading?.hash, values: values.map { $0.reading?.hash },
            faults: fileProblems.map(\.fault), lastSound: values.map(\.lastSoundHash), lastGood: values.map(\.lastGood),
            brokenFlags: brokenFlags,
            isReadOnly: isReadOnly, appProviders: appProviders)
    }
}
