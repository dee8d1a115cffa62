import FeatureFlags
import Foundation

/// A viewer's favourite flags, oldest first.
///
/// ```swift
/// var favourites = Favourites()
/// favourites.add(key)
/// favourites.contains(key)  // true
/// ```
struct Favourites: Hashable, Sendable {
    static let most = 50
    /// In bytes, encoded: browsers keep no cookie of more than 4,096.
    private static let mostBytes = 3500

    private(set) var keys: [FlagKeyPath] = []

    func contains(_ key: FlagKeyPath) -> Bool { keys.contains(key) }

    /// `false` if there is no room.
    mutating func add(_ key: FlagKeyPath) -> Bool {
        if contains(key) { return true }
        var more = self
        more.keys.append(key)
        guard more.fits else { return false }
        self = more
        return true
    }

    mutating func remove(_ key: FlagKeyPath) { keys.removeAll { $0 == key } }

    /// Keeps the old key path if there is no room for the new one.
    mutating func rename(_ key: FlagKeyPath, to other: FlagKeyPath) {
        var renamed = self
        renamed.keys = keys.filter { $0 != other }.map { $0 == key ? other : $0 }
        if renamed.fits { self = renamed }
    }

    func filter(_ holds: (FlagKeyPath) -> Bool) -> Favourites {
        var rest = Favourites()
        rest.keys = keys.filter(holds)
        return rest
    }

    private var fits: Bool { keys.count <= Self.most && text.utf8.count <= Self.mostBytes }
}

extension Favourites {
    /// The mark before each key path: legal in a cookie, but never part of an encoded key path.
    private static let mark = "!"

    var text: String {
        keys.map { Self.mark + PageLink.encode($0.text).replacing("%2F", with: "/") }.joined()
    }

    /// Skips malformed key paths and those beyond the limits.
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
