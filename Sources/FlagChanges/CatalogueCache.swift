import Foundation

/// The last catalogue that was made, for as long as the files hold the same: with thousands of flags, it takes longer to
/// make than a page.
struct CatalogueCache: Sendable {
    /// What a catalogue follows from.
    struct State: Hashable, Sendable {
        let manifest: Data?
        let values: [Data?]
        let isReadOnly: Bool
    }

    private var last: (state: State, catalogue: FlagCatalogue)?

    /// The catalogue of a state, made anew where it is another one than the last time.
    ///
    /// - Parameters:
    ///   - state: The state; `nil` where it can't be told by the files' bytes alone.
    ///   - make: Makes it.
    /// - Returns: The catalogue.
    mutating func catalogue(of state: State?, make: () -> FlagCatalogue) -> FlagCatalogue {
        if let last, last.state == state { return last.catalogue }
        let catalogue = make()
        last = state.map { ($0, catalogue) }
        return catalogue
    }
}

extension Workspace {
    /// What the catalogue follows from; `nil` where a file can't be read, and so what was read before counts too.
    func catalogueState(isReadOnly: Bool) -> CatalogueCache.State? {
        guard obstacles.isEmpty else { return nil }
        return CatalogueCache.State(
            manifest: manifest.reading?.hash, values: values.map { $0.reading?.hash }, isReadOnly: isReadOnly)
    }
}
