import Foundation

/// The flags of the last few moments that were asked for: whoever looks at a moment searches it, turns its pages and takes
/// it away.
struct PastFlagsCache {
    /// What the flags of a moment follow from.
    struct State: Hashable, Sendable {
        let files: CatalogueCache.State
        /// Why nothing can be changed now: the flags of now say so.
        let obstacles: [Obstacle]
        /// The newest row of the history.
        let head: Int64
        /// The last row before the moment.
        let row: Int64
    }

    private static let most = 4
    private var kept: [(state: State, flags: FlagsAtTime)] = []

    /// The flags of a moment, where they are known.
    func flags(of state: State?) -> FlagsAtTime? {
        kept.first { $0.state == state }?.flags
    }

    /// Keeps them.
    mutating func keep(_ flags: FlagsAtTime, for state: State?) {
        guard let state, self.flags(of: state) == nil else { return }
        kept = kept.suffix(Self.most - 1) + [(state, flags)]
    }
}
