import FlagChanges
import FlagHistory
import HTTPTypes
import Hummingbird
import Logging

/// Reads the browser's memory of the dashboard, and notes that a page was seen.
///
/// Pages that reload themselves neither end nor begin a visit.
struct ViewerLookup: DashboardMiddleware {
    let dashboard: Dashboard

    func handle(_ request: Request, context: DashboardContext, next: Next) async throws -> Response {
        guard context.visitor != nil, Route.reached(by: request.uri.path)?.isForPrograms == false else {
            return try await next(request, context)
        }
        var context = context
        let favourites = dashboard.viewerCookie("favourites", of: request).value(in: request)
        context.memory.isOfBrowser = true
        context.memory.favourites = favourites.map(Favourites.init(text:)) ?? Favourites()
        guard let row = newestRow(context) else { return try await next(request, context) }
        let (now, cookie) = (dashboard.clock(), VisitCookie(dashboard.viewerCookie("visit", of: request)))
        let kept = cookie.visit(in: request, row: row, at: now)
        let isAttended = request.method == .get && request.headers[.unattended] == nil
        guard isAttended else {
            context.memory.visit = kept
            return try await next(request, context)
        }
        let visit = kept?.next(row: row, at: now) ?? ViewerVisit(latest: .init(row: row, at: now))
        context.memory.visit = visit
        var response = try await next(request, context)
        // A refused page or a download shows nothing.
        guard response.status == .ok, response.headers[.contentType]?.hasPrefix("text/html") == true else {
            return response
        }
        let seen = visit.seeing(row: context.shownRow.row ?? row)
        if let header = cookie.setting(seen, over: kept) {
            response.headers.append(HTTPField(name: .setCookie, value: header))
        }
        return response
    }

    /// `nil` if unreadable, which the page states.
    private func newestRow(_ context: DashboardContext) -> Int64? {
        do throws(HistoryStoreError) {
            return try dashboard.service.history.chainHead().id
        } catch {
            context.logger.warning("Can't determine what is new since the last visit: \(error)")
            return nil
        }
    }
}

extension Dashboard {
    func memory(at overview: FlagOverview, _ context: DashboardContext) -> ViewerMemory {
        var memory = context.memory
        context.shownRow.show(overview.lastRow)
        guard memory.isOfBrowser, let row = overview.lastRow else { return memory }
        do throws(HistoryStoreError) {
            if let sight = memory.lastVisit {
                memory.editedOutside = try outsideEdits.keys(after: sight.row, through: row, in: service.history)
            }
            if let person = context.visitor?.person, person.role != .viewer {
                memory.ownChange = try ownChanges.last(of: person.name, overview, in: service.history)
            }
        } catch {
            context.logger.warning(
                "Can't determine external edits since the last visit and the viewer's last change: \(error)")
        }
        return memory
    }
}
