import FeatureFlags
import FlagChanges
import FlagHistory
import FlagReferences

/// Lines of a source file that tell of flags which must not appear.
struct HiddenLines {
    private let places: [ClosedRange<Int>]
    /// The key paths of hidden flags, as a comment or a longer text may have them.
    private let texts: [String]

    /// - Parameters:
    ///   - places: The lines.
    ///   - texts: What no line that is shown has in it.
    init(_ places: [ClosedRange<Int>] = [], _ texts: [String] = []) { (self.places, self.texts) = (places, texts) }

    /// - Parameters:
    ///   - told: The lines that tell of flags and groups.
    ///   - overview: The flags that may be seen. Where no flag is internal, nothing is hidden; else what the code declares and
    ///     the dashboard does not show may be an internal flag whose key path only the running program knows.
    init(_ told: [ToldLines], _ overview: FlagOverview) {
        let (catalogue, hidden) = (overview.catalogue, overview.hiddenKeys.flags)
        guard !hidden.isEmpty else {
            (places, texts) = ([], [])
            return
        }
        places = told.filter { lines in
            switch lines.subject {
            case .flag(let key): catalogue[key] == nil
            case .group(let group): !catalogue.entries.contains { $0.key.components.starts(with: group.components) }
            case .untold: true
            }
        }.map(\.lines)
        // What has one component may be any word.
        texts = hidden.map { $0.components.count > 1 ? $0.text : "\"\($0.text)\"" }
    }

    /// Whether a line must not appear.
    ///
    /// - Returns: `true` where it tells of a hidden flag.
    func contains(_ number: Int, _ text: Substring) -> Bool {
        places.contains { $0.contains(number) } || texts.contains { text.contains($0) }
    }
}
