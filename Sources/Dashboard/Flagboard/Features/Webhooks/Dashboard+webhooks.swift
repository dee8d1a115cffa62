import FlagChanges
import FlagHistory
import FlagWebhooks
import Foundation
import Hummingbird

extension Dashboard {
    func webhooksPage(_ request: Request, _ context: DashboardContext) async throws -> Response {
        guard let webhooks else {
            return try respond(WebhooksPage(off: try await frame(context), because: causeOfNoWebhooks))
        }
        let notice = webhookNotices.take(try FormFields(request.uri.query ?? "")["done"])
        return try respond(try await page(of: webhooks, context, notice: notice))
    }

    func addWebhook(_ request: Request, _ context: DashboardContext) async throws -> Response {
        let webhooks = try sender()
        let wish = try await NewWebhookRequest(request)
        let added: CreatedWebhook
        do {
            added = try await wish.fulfil(by: webhooks)
        } catch let error as KeptFileError {
            let form = wish.form(
                error, mayAllowPrivate: webhooks.allowsPrivateOnPage, file: commandsFile(for: context.visitor))
            return try respond(
                try await page(of: webhooks, context, form: form),
                status: error.isRequestAtFault ? .unprocessableContent : .serviceUnavailable)
        }
        return try respond(try await page(of: webhooks, context, created: added))
    }

    func testWebhook(_ request: Request, _ context: DashboardContext) async throws -> Response {
        try await act(request) { webhooks, wish in
            .test(try await webhooks.test(wish.id), of: try webhooks.file.webhook(wish.id).name)
        }
    }

    func pauseWebhook(_ request: Request, _ context: DashboardContext) async throws -> Response {
        let now = clock()
        return try await act(request) { webhooks, wish in
            .paused(try await webhooks.file.pause(wish.id, at: now).name)
        }
    }

    func resumeWebhook(_ request: Request, _ context: DashboardContext) async throws -> Response {
        try await act(request) { webhooks, wish in .resumed(try await webhooks.file.resume(wish.id).name) }
    }

    func enableWebhook(_ request: Request, _ context: DashboardContext) async throws -> Response {
        try await act(request) { webhooks, wish in .enabled(try await webhooks.file.enable(wish.id).name) }
    }

    func removeWebhook(_ request: Request, _ context: DashboardContext) async throws -> Response {
        try await act(request) { webhooks, wish in .removed(try await webhooks.file.remove(wish.id).name) }
    }

    func replayWebhook(_ request: Request, _ context: DashboardContext) async throws -> Response {
        let last = try service.history.chainHead().id
        return try await act(request) { webhooks, wish in
            let rows = try wish.rows(upTo: last)
            return .replayed(try await webhooks.file.replay(wish.id, from: rows.lowerBound, to: rows.upperBound), rows)
        }
    }

    func resendDelivery(_ request: Request, _ context: DashboardContext) async throws -> Response {
        try await act(request) { webhooks, wish in
            .resent(try await webhooks.resend(wish.delivery, to: wish.id), to: try webhooks.file.webhook(wish.id).name)
        }
    }

    func deliveryPage(_ request: Request, _ context: DashboardContext) async throws -> Response {
        let webhooks = try sender()
        guard let id = context.parameters.get("id"), let number = context.parameters.get("number", as: Int.self) else {
            throw RequestError.notFound("delivery \(context.parameters.get("number") ?? "")")
        }
        await webhooks.look()
        let found = try await refusing { try await webhooks.delivery(number, to: id) }
        let message = try await webhooks.message(of: found.1, to: found.0)
        return try respond(
            DeliveryPage(
                frame: try await frame(context), webhook: found.0, delivery: found.1, message: message))
    }

    private func page(
        of webhooks: WebhookSender, _ context: DashboardContext, form: WebhookForm? = nil,
        notice: WebhookNotice? = nil, created: CreatedWebhook? = nil
    ) async throws -> WebhooksPage {
        let frame = try await frame(context)
        await webhooks.look()
        let now = clock()
        return WebhooksPage(
            frame: frame, webhooks: try await webhooks.reports().map { WebhookRow($0, now: now) },
            problems: await webhooks.problems,
            form: form ?? WebhookForm(mayAllowPrivate: webhooks.allowsPrivateOnPage), notice: notice, created: created)
    }

    private func act(
        _ request: Request, _ body: (WebhookSender, WebhookRequest) async throws -> WebhookNotice
    ) async throws -> Response {
        let webhooks = try sender()
        let wish = try await WebhookRequest(request)
        let notice = try await refusing { try await body(webhooks, wish) }
        await webhooks.look()
        return redirect(to: PageLink.adding("done", webhookNotices.add(notice), to: PageLink.webhooks))
    }

    private func refusing<Value>(_ body: () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch let error as KeptFileError {
            throw RequestError(
                error.isUnknown ? .notFound : error.isRequestAtFault ? .conflict : .serviceUnavailable,
                title: "Webhook unchanged", message: error.description, remedy: "Go back to the webhooks.",
                link: TextLink(label: "Webhooks", href: PageLink.webhooks))
        }
    }

    private var causeOfNoWebhooks: String {
        guard service.isReadOnly else {
            return "This dashboard is part of an app or a command. To send webhooks, run flagboard serve."
        }
        return service.readOnlyCause
            ?? "Flagboard was started with --read-only. Start it without --read-only to send webhooks."
    }

    private func sender() throws -> WebhookSender {
        guard let webhooks else {
            throw RequestError(
                .conflict, title: "No webhooks here", message: "This dashboard doesn’t send webhooks.",
                remedy: "Use a server that runs flagboard serve and takes changes.")
        }
        return webhooks
    }

    private var webhookNotices: FlashItems<WebhookNotice> { states.value { FlashItems<WebhookNotice>() } }
}
