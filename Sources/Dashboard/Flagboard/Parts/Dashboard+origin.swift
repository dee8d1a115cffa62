import Foundation
import HTTPTypes
import Hummingbird

extension Dashboard {
    /// The page of the dashboard that a form was on, as the browser tells it; else the list of flags.
    static func origin(of request: Request) -> String {
        referrer(of: request).map(LocalPath.checked) ?? PageLink.flags
    }

    /// The page of the dashboard that a form was on, as the browser tells it by its `Referer`.
    ///
    /// - Returns: Its path and query; `nil` where the browser does not say them, or names another site's.
    static func referrer(of request: Request) -> String? {
        guard let referer = request.headers[.referer], let url = URLComponents(string: referer),
            url.percentEncodedHost.map({ request.head.authority?.hasPrefix($0) ?? false }) ?? false
        else { return nil }
        let items = url.percentEncodedQueryItems?.filter { $0.name != FlashMessages.query } ?? []
        var page = URLComponents()
        page.percentEncodedPath = url.percentEncodedPath
        page.percentEncodedQueryItems = items.isEmpty ? nil : items
        return page.string
    }
}
