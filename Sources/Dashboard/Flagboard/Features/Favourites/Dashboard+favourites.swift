import FeatureFlags
import FlagChanges
import HTTPTypes
import Hummingbird

/// A viewer's favourite flags, kept in a cookie: they change no flag and aren't in the history.
extension Dashboard {
    /// Drops favourites of deleted flags, too.
    ///
    /// A script that prefers a minimal answer (RFC 7240) gets neither a redirect nor a note.
    func changeFavourites(_ request: Request, _ context: DashboardContext) async throws -> Response {
        let wish = try await FavouriteRequest(request)
        let flags = try await service.shownFlags()
        var favourites = context.memory.favourites.filter { flags.catalogue[$0] != nil }
        let note: String
        if wish.isWanted {
            guard let entry = flags.catalogue[wish.key] else { throw flags.absence(of: wish.key) }
            guard favourites.add(wish.key) else { throw Self.tooManyFavourites(favourites) }
            note = "\(entry.definition.shownName) added to favourites."
        } else {
            favourites.remove(wish.key)
            let name = flags.catalogue[wish.key]?.definition.shownName ?? wish.key.shownText
            note = "\(name) removed from favourites."
        }
        var response = Response(status: .noContent)
        if request.headers[.prefer] != "return=minimal" {
            let origin = Self.origin(of: request)
            // The list scrolls to its open row.
            let place = Route.at(String(origin.prefix { $0 != "?" })) == .flags ? "#\(ReturnToList.anchor)" : ""
            response = redirect(to: notes.add(note, to: origin) + place)
        }
        response.headers[.setCookie] = viewerCookie("favourites", of: request).setting(favourites.text)
        return response
    }

    private static func tooManyFavourites(_ favourites: Favourites) -> RequestError {
        let count = favourites.keys.count
        let room =
            count == Favourites.most
            ? "You have \(count) favourites, which is the limit."
            : "You have \(count) favourites. Their long key paths leave no room for another."
        return RequestError(
            .conflict, title: "Too many favourites", message: room,
            remedy: "Remove one, then add this flag.",
            link: TextLink(label: "your favourites", href: FlagFilter(marks: [.favourite]).href))
    }
}

struct FavouriteForm: Hashable, PagePart {
    let key: String
    let isFavourite: Bool
    let wish: String
    let label: String

    init(_ key: FlagKeyPath, _ memory: ViewerMemory) {
        self.key = key.text
        isFavourite = memory.favourites.contains(key)
        wish = isFavourite ? FavouriteRequest.no : FavouriteRequest.yes
        label = isFavourite ? "Remove from favourites" : "Add to favourites"
    }
}

struct FavouriteRequest: Hashable, Sendable {
    static let yes = "yes"
    static let no = "no"

    let key: FlagKeyPath
    let isWanted: Bool

    /// - Throws: ``RequestError`` with the status 422.
    init(_ request: Request) async throws {
        let fields = try await FormFields(request, upTo: FormFields.maximumBytes)
        guard let key = fields["key"].flatMap({ FlagKeyPath(text: $0) }) else {
            throw Self.refusal("The flag is missing from the form.")
        }
        guard let wish = fields["favourite"], [Self.yes, Self.no].contains(wish) else {
            throw Self.refusal("Choose whether to add the flag to favourites or remove it.")
        }
        self.key = key
        isWanted = wish == Self.yes
    }

    private static func refusal(_ message: String) -> RequestError {
        RequestError(
            .unprocessableContent, title: "Favourites unchanged", message: message,
            remedy: "Open the flag and use its favourites button.")
    }
}
