import FeatureFlags
import HTTPTypes

/// A request that is refused before or outside the change service, with what to tell the person.
struct RequestRefusal: Error {
    let status: HTTPResponse.Status
    let title: String
    let message: String
    let remedy: String

    init(_ status: HTTPResponse.Status, title: String, message: String, remedy: String) {
        self.status = status
        self.title = title
        self.message = message
        self.remedy = remedy
    }

    static func notFound(_ what: String) -> RequestRefusal {
        RequestRefusal(
            .notFound, title: "Not found", message: "There is no \(what).",
            remedy: "Start from the list of flags, or search for it.")
    }
}
