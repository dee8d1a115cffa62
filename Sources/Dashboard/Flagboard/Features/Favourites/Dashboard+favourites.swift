import FeatureFlags
import FlagChanges
import HTTPTypes
import Hummingbird

/// The flags that a viewer comes back to: kept by the viewer's browser, no change of a flag, and so in no history.
extension Dashboard {
    /// Makes a flag a favourite, or ends that, and leads back to the page that the form was on; what is gone is forgotten with it.
    ///
    /// A script that prefers a minimal answer (RFC 7240) gets one without a page to go on with, nor a note that this page would tell.
    func changeFavourites(_ request: Request, _ context: DashboardContext) async throws -> Response {
        let wish = try await FavouriteRequest(request)
        let flags = try await service.shownFlags()
        var favourites = context.memory.favourites.filter { flags.catalogue[$0] != nil }
        let note: String
        if wish.isWanted {
            guard let entry = flags.catalogue[wish.key] else { throw flags.absence(of: wish.key) }
            guard favourites.add(wish.key) else { throw Self.tooManyFavourites(favourites) }
            note = "\(entry.definition.shownName) is among your favourites now."
        } else {
            favourites.remove(wish.key)
            let name = flags.catalogue[wish.key]?.definition.shownName ?? wish.key.shownText
            note = "\(name) is no favourite of yours any more."
        }
        var response = Response(status: .noContent)
        if request.headers[.prefer] != "return=minimal" {
            let origin = Self.origin(of: request)
            // The list is come back to at the row that is open.
            let place = Route.at(String(origin.prefix { $0 != "?" })) == .flags ? "#\(FlagRow.anchor)" : ""
            response = redirect(to: notes.add(note, to: origin) + place)
        }
        response.headers[.setCookie] = viewerCookie("favourites", of: request).setting(favourites.text)
        return response
    }

    /// The link of the menu to the viewer's favourites; `nil` where no flag is one.
    func favouritesLink(_ view: CatalogueView) -> NavigationItem? {
        guard view.memory.favourites.keys.contains(where: { view.catalogue[$0] != nil }) else { return nil }
        let href = NavigationItem.favouritesHref
        return NavigationItem(label: "Favourites", href: href, isCurrent: view.asked?.target == href)
    }

    private static func tooManyFavourites(_ favourites: Favourites) -> RequestError {
        let count = favourites.keys.count
        let room =
            count == Favourites.most
            ? "\(count) flags fit among your favourites, and you have \(count)."
            : "You have \(count) favourites, and their key paths are so long that no other one fits."
        return RequestError(
            .conflict, title: "No room for another favourite", message: room,
            remedy: "Remove one that you need no more, then add this one.",
            link: TextLink(label: "Show your favourites", href: NavigationItem.favouritesHref))
    }
}
