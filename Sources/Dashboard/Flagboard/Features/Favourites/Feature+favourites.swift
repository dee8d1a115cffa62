extension Feature {
    /// The favourites of a viewer.
    static let favourites = Feature(
        routes: [.favourites],
        styles: ["favourites"],
        scripts: ["favourites"])
}

extension Route {
    /// The flags that one viewer comes back to.
    static let favourites = Route(
        "favourites", "/favourites", post: Dashboard.changeFavourites, resuming: { _ in "It changes your favourites." },
        formOn: flags)
}
