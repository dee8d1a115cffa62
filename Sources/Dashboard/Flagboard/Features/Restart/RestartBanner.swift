import FlagChanges
import FlagHistory
import Foundation
import HTTPTypes
import Hummingbird

/// What waits for a restart of the app, at the top of every page.
struct RestartBanner: Hashable, PagePart {
    /// How many flags are named; a file with more has a sentence for the others.
    private static let mostItems = 20
    /// How many flags are shown without being asked for.
    private static let mostOpen = 3

    let heading: String
    let items: [Item]
    let hasItems: Bool
    let isShort: Bool
    /// That there are more than are named.
    let more: String?
    /// That more may have changed than is known; `nil` where all is known.
    let caution: String?
    /// What the button reports as taken up: the newest row of the history; `nil` where the viewer may not report it.
    let row: String?

    /// One flag that waits.
    struct Item: Hashable, PagePart {
        let name: String
        let href: String
        let before: String
        let now: String
        /// That what it was before is not proven; `nil` where it is.
        let doubt: String?
    }

    /// Makes the banner; `nil` where nothing waits.
    ///
    /// That it is not known whether anything does is told to those who can do something about it.
    init?(_ view: CatalogueView) {
        let pending = view.pendingRestart
        let mayReport = view.visitor.map { $0.person.role != .viewer } ?? false
        let canReport = mayReport && view.status.block == nil
        guard !pending.waits.isEmpty || pending.lacksPruned && canReport else { return nil }
        let count = pending.waits.count
        heading =
            switch count {
            case 0: "It is not known whether changes wait for a restart of the app"
            case 1: "1 change waits for a restart of the app"
            default: "\(count) changes wait for a restart of the app"
            }
        hasItems = count > 0
        items = pending.waits.prefix(Self.mostItems).map { wait in
            Item(
                name: wait.name.isEmpty ? wait.key.shownText : wait.name, href: PageLink.flag(wait.key),
                before: ShownValue(wait.before).plain, now: ShownValue(wait.now).plain,
                doubt: wait.alteredRow.map {
                    "Not proven: change \($0), which recorded what was before, was altered later."
                })
        }
        isShort = count <= Self.mostOpen
        more = count > Self.mostItems ? "And \(count - Self.mostItems) more." : nil
        caution =
            pending.lacksPruned
            ? "Rows of the history since the app was last restarted were pruned: what changed in them is not told here."
            : nil
        row = canReport ? String(pending.lastRow) : nil
    }
}

/// How the dashboard learns that the app was restarted: by a button on every page, or from the app itself.
extension Dashboard {
    /// Back to the page that the button was on; what was changed after that page was made goes on waiting.
    func restarted(_ request: Request, _ context: DashboardContext) async throws -> Response {
        let fields = try await FormFields(request, upTo: FlagRequest.maximumBytes)
        let row = fields["row"].flatMap { Int64($0) }
        try await service.recordRestart(after: row, by: try context.author(.form))
        let origin = Self.origin(of: request)
        return try await answer(toMade: context) {
            let pending = try await service.overview().pendingRestart
            let rest =
                pending.waits.isEmpty && !pending.lacksPruned
                ? "Nothing waits for it any more." : "What was changed since goes on waiting, as said below."
            return redirect(to: notes.add("Noted: the app has restarted. \(rest)", to: origin))
        } orPlain: {
            redirect(to: origin)
        }
    }

    func appRestarted(_ request: Request, _ context: DashboardContext) async throws -> Response {
        try await service.recordRestart(by: try context.author(access.origin))
        return try await answer(toMade: context) {
            respond(json: RestartDocument(waiting: try await service.overview().pendingRestart.waits.count))
        } orPlain: {
            respond(json: RestartDocument(waiting: nil))
        }
    }
}

/// What is answered to an app that reports its restart.
struct RestartDocument: JSONDocument {
    /// How many flags wait for another one, those that were changed since; left out where that can't be told.
    let waiting: Int?
}
