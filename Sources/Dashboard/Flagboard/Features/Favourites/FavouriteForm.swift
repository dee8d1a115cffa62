import FeatureFlags

/// The button that makes a flag one of the viewer's favourites, or ends that.
struct FavouriteForm: Hashable, Sendable {
    let key: String
    let isFavourite: Bool
    /// What the form sends: whether the flag is to be one.
    let wish: String
    let label: String
    let symbol: String

    /// Makes the form.
    ///
    /// - Parameters:
    ///   - key: The flag.
    ///   - memory: What the viewer's browser remembers.
    init(_ key: FlagKeyPath, _ memory: ViewerMemory) {
        self.key = key.text
        isFavourite = memory.favourites.contains(key)
        wish = isFavourite ? FavouriteRequest.no : FavouriteRequest.yes
        label = isFavourite ? "Remove from favourites" : "Add to favourites"
        symbol = isFavourite ? "★" : "☆"
    }
}

extension FavouriteForm: PagePart {
    static let fields: PageFields<Self> = [
        "key": .of(\.key), "isFavourite": .of(\.isFavourite), "wish": .of(\.wish), "label": .of(\.label),
        "symbol": .of(\.symbol),
    ]
}
