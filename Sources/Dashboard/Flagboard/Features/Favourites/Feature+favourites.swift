extension Feature {
    static let favourites = Feature(
        routes: [.favourites],
        styles: ["favourites"],
        scripts: ["favourites"])
}

extension Route {
    static let favourites = Route(
        "favourites", "/favourites", post: Dashboard.changeFavourites, resuming: { _ in "It changes your favourites." },
        formOn: flags)
}
