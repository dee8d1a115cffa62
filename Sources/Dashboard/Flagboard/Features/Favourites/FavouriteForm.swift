import FeatureFlags

/// The button that makes a flag one of the viewer's favourites, or ends that.
struct FavouriteForm: Hashable, PagePart {
    let key: String
    let isFavourite: Bool
    /// What the form sends: whether the flag is to be one.
    let wish: String
    let label: String
    let symbol: String

    /// Makes the form.
    init(_ key: FlagKeyPath, _ memory: ViewerMemory) {
        self.key = key.text
        isFavourite = memory.favourites.contains(key)
        wish = isFavourite ? FavouriteRequest.no : FavouriteRequest.yes
        label = isFavourite ? "Remove from favourites" : "Add to favourites"
        symbol = isFavourite ? "★" : "☆"
    }
}
