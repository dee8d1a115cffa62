import FlagChanges
import FlagHistory
import Hummingbird
import NIOCore

/// What the dashboard knows of a request beyond the request itself.
struct DashboardContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// The connection that the request came by.
    let channel: any Channel
    /// The address that the request came from.
    var address: String { channel.remoteAddress?.ipAddress ?? "an unknown address" }
    /// Who sent the request; `nil` as long as that is not proven.
    var visitor: Visitor?
    /// What has just been done, to be told on the page that is asked for.
    var note: String?

    init(source: Source) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
    }

    /// Who a change is recorded for.
    ///
    /// - Parameter origin: Which way the request came in.
    /// - Returns: The author.
    /// - Throws: ``SignInError`` where its sender is not proven, which is so for no route that needs a session.
    func author(_ origin: HistoryRecord.Origin) throws(SignInError) -> ChangeAuthor {
        guard let person = visitor?.person else { throw .missing }
        return ChangeAuthor(name: person.name, role: person.role, origin: origin, requestID: id)
    }
}
