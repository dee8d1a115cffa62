import Foundation
import HTTPTypes
import Hummingbird

extension Dashboard {
    /// The page of the dashboard that a form was on, as the browser tells it; else the list of flags.
    static func origin(of request: Request) -> String {
        guard let referer = request.headers[.referer], let url = URLComponents(string: referer),
            url.percentEncodedHost.map({ request.head.authority?.hasPrefix($0) ?? false }) ?? false
        else { return PageLink.flags }
        let items = url.percentEncodedQueryItems?.filter { $0.name != FlashMessages.query } ?? []
        var page = URLComponents()
        page.percentEncodedPath = url.percentEncodedPath
        page.percentEncodedQueryItems = items.isEmpty ? nil : items
        return LocalPath.checked(page.string ?? PageLink.flags)
    }
}
