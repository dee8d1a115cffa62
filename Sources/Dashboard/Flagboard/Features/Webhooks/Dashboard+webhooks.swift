import FlagChanges
import FlagHistory
import FlagWebhooks
import Foundation
import Hummingbird

extension Dashboard {
    func webhooksPage(_ request: Request, _ context: DashboardContext) async throws -> Response {
        let frame = try await frame(context)
        guard let webhooks else { return try respond(WebhooksPage(off: frame, isReadOnly: service.isReadOnly)) }
        let notice = WebhookNotice(rawValue: try FormFields(request.uri.query ?? "")["done"] ?? "")
        await webhooks.look()
        let now = clock()
        let rows = try await webhooks.reports().map { WebhookRow($0, now: now) }
        return try respond(
            WebhooksPage(
                frame: frame, webhooks: rows, problems: await webhooks.problems, notice: notice?.text,
                fileName: service.files.values.lastPathComponent))
    }

    func testWebhook(_ request: Request, _ context: DashboardContext) async throws -> Response {
        try await decide(request, .test) { webhooks, wish in try await webhooks.test(wish.id) }
    }

    func enableWebhook(_ request: Request, _ context: DashboardContext) async throws -> Response {
        try await decide(request, .enable) { webhooks, wish in _ = try await webhooks.file.enable(wish.id) }
    }

    func removeWebhook(_ request: Request, _ context: DashboardContext) async throws -> Response {
        try await decide(request, .removal) { webhooks, wish in _ = try await webhooks.file.remove(wish.id) }
    }

    func replayWebhook(_ request: Request, _ context: DashboardContext) async throws -> Response {
        let last = try service.history.chainHead().id
        return try await decide(request, .replay) { webhooks, wish in
            let rows = try wish.rows(upTo: last)
            _ = try await webhooks.file.replay(wish.id, from: rows.lowerBound, to: rows.upperBound)
        }
    }

    /// Performs the action of a form and redirects to its notice.
    private func decide(
        _ request: Request, _ notice: WebhookNotice, _ body: (WebhookSender, WebhookRequest) async throws -> Void
    ) async throws -> Response {
        guard let webhooks else {
            throw RequestError(
                .conflict, title: "No webhooks here", message: "This dashboard sends nothing to webhooks.",
                remedy: "Ask the process that runs flagboard serve without --read-only.")
        }
        let wish = try await WebhookRequest(request)
        do {
            try await body(webhooks, wish)
        } catch let error as KeptFileError {
            throw RequestError(
                error.isRequestAtFault ? .notFound : .serviceUnavailable, title: "Nothing was done",
                message: error.description, remedy: "Look at the webhooks that there are now.")
        }
        await webhooks.look()
        return redirect(to: notice.href)
    }
}

/// A notice on the webhooks page after a redirect.
enum WebhookNotice: String {
    case test, enable, removal, replay

    var href: String { PageLink.adding("done", rawValue, to: PageLink.webhooks) }

    var text: String {
        switch self {
        case .test: "The test was sent: how it went is told beside the webhook."
        case .enable: "The webhook is told of the rows that it has missed."
        case .removal: "The webhook is removed."
        case .replay: "The rows are sent again, before any new one."
        }
    }
}

/// A form about a webhook.
struct WebhookRequest: Hashable, Sendable {
    let id: String
    private let from: String
    private let to: String

    init(_ request: Request) async throws {
        let body = try await request.body.collect(upTo: FormFields.maximumBytes)
        let fields = try FormFields(bytes: body.readableBytesView)
        id = fields["id"] ?? ""
        from = (fields["from"] ?? "").trimmingCharacters(in: .whitespaces)
        to = (fields["to"] ?? "").trimmingCharacters(in: .whitespaces)
    }

    /// Returns the rows to send again, by default up to the last one.
    func rows(upTo last: Int64) throws(RequestError) -> ClosedRange<Int64> {
        guard let first = Int64(from), let end = to.isEmpty ? last : Int64(to), first > 0, first <= end, end <= last
        else {
            throw RequestError(
                .unprocessableContent, title: "No such rows",
                message: "Rows “\(from)” to “\(to)” are none of the history, which has rows up to \(last).",
                remedy: "Give the numbers of rows as the history has them, the first one first.")
        }
        return first...end
    }
}
