import Foundation

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
