import FeatureFlags
import Foundation

/// The flags that a viewer has marked as favourites, in the order in which that was done.
///
/// ```swift
/// var favourites = Favourites()
/// favourites.add(key)
/// favourites.contains(key)  // true
/// ```
struct Favourites: Hashable, Sendable {
    /// How many flags fit.
    static let most = 50
    /// How many bytes their key paths may take as a cookie holds them: a browser keeps no cookie of more than 4,096.
    private static let mostBytes = 3500

    private(set) var keys: [FlagKeyPath] = []

    func contains(_ key: FlagKeyPath) -> Bool { keys.contains(key) }

    /// Adds a flag.
    ///
    /// - Returns: Whether it is one now: not where there is no room for it.
    mutating func add(_ key: FlagKeyPath) -> Bool {
        if contains(key) { return true }
        var more = self
        more.keys.append(key)
        guard more.fits else { return false }
        self = more
        return true
    }

    mutating func remove(_ key: FlagKeyPath) { keys.removeAll { $0 == key } }

    /// Those of the flags that something holds for.
    func filter(_ holds: (FlagKeyPath) -> Bool) -> Favourites {
        var rest = Favourites()
        rest.keys = keys.filter(holds)
        return rest
    }

    private var fits: Bool { keys.count <= Self.most && text.utf8.count <= Self.mostBytes }
}

extension Favourites {
    /// What stands before each key path: a letter that a cookie may have, and an encoded key path has not.
    private static let mark = "!"

    /// The key paths as a cookie holds them.
    var text: String {
        keys.map { Self.mark + PageLink.encode($0.text).replacing("%2F", with: "/") }.joined()
    }

    /// Reads what a cookie holds; whatever is no key path in it is passed over, and what does not fit.
    init(text: String) {
        guard text.utf8.count <= Self.mostBytes, text.hasPrefix(Self.mark) else { return }
        for part in text.dropFirst().split(separator: Self.mark, omittingEmptySubsequences: false).prefix(Self.most) {
            guard let key = part.removingPercentEncoding.flatMap({ FlagKeyPath(text: $0) }), !contains(key) else {
                continue
            }
            keys.append(key)
        }
    }
}
