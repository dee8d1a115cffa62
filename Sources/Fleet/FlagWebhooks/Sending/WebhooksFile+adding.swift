import FlagChanges
import Foundation

extension WebhooksFile {
    /// Looks up a webhook's host, then adds it.
    ///
    /// - Parameter row: The last row so far; messages begin after it.
    /// - Returns: The webhook, and a caution as a clause if its host can't be found now.
    /// - Throws: ``KeptFileError`` with a ``NewWebhook/Field`` for an invalid part or a private address.
    package func add(
        _ new: NewWebhook, after row: Int64, at now: Date, lookup: HostLookup = HostLookup()
    ) async throws(KeptFileError) -> (webhook: Webhook, caution: String?) {
        let caution: String?
        switch await lookup.addresses(of: new.url, allowsPrivate: new.allowsPrivate) {
        case .found: caution = nil
        case .forbidden(let place): throw .refused(place, .allowsPrivate)
        case .missing(let reason): caution = reason
        }
        let webhook = try await add(
            new.url, named: new.name, filters: new.filters, template: new.template, allowsPrivate: new.allowsPrivate,
            after: row, at: now)
        return (webhook, caution)
    }
}
