import FeatureFlags
import HTTPTypes
import Hummingbird

/// What a form about a favourite sends.
struct FavouriteRequest: Hashable, Sendable {
    /// What `favourite` is where the flag is to be one.
    static let yes = "yes"
    /// What it is where the flag is not to be one any more.
    static let no = "no"

    let key: FlagKeyPath
    /// Whether the flag is to be a favourite.
    let isWanted: Bool

    /// Reads the fields `key` and `favourite`.
    ///
    /// - Throws: ``RequestError``, 422, where one of them is missing or odd.
    init(_ request: Request) async throws {
        let fields = try await FormFields(request, upTo: FlagRequest.maximumBytes)
        guard let key = fields["key"].flatMap({ FlagKeyPath(text: $0) }) else {
            throw Self.refusal("The form names no flag.")
        }
        guard let wish = fields["favourite"], [Self.yes, Self.no].contains(wish) else {
            throw Self.refusal("The form does not say whether the flag is to be a favourite.")
        }
        self.key = key
        isWanted = wish == Self.yes
    }

    private static func refusal(_ message: String) -> RequestError {
        RequestError(
            .unprocessableContent, title: "Nothing was done", message: message,
            remedy: "Use the star on the flag’s page, or in its open row of the list.")
    }
}
