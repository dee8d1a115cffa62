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
    /// - Returns: The catalogue.
    mutating func shown(of state: State?, make: (Shown?) -> Shown) -> Shown {
        if let last, last.state == state { return last.shown }
        let similar = last.flatMap { $0.state.isReadOnly == state?.isReadOnly ? $0.shown : nil }
        let shown = make(similar)
        last = state.map { ($0, shown) }
        return shown
    }
}

extension Workspace {
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
