import FlagChanges
import FlagWebhooks
import Foundation
import Hummingbird

struct WebhookRequest: Hashable, Sendable {
    let id: String
    /// 0 for none.
    let delivery: Int
    private let from: String
    private let to: String

    init(_ request: Request) async throws {
        let fields = try await FormFields(request, upTo: FormFields.maximumBytes)
        id = fields["id"] ?? ""
        delivery = fields["delivery"].flatMap { Int($0) } ?? 0
        from = (fields["from"] ?? "").trimmingCharacters(in: .whitespaces)
        to = (fields["to"] ?? "").trimmingCharacters(in: .whitespaces)
    }

    /// Returns the rows to send again, by default up to the last one.
    func rows(upTo last: Int64) throws(RequestError) -> ClosedRange<Int64> {
        guard let first = Int64(from), let end = to.isEmpty ? last : Int64(to), first > 0, first <= end, end <= last
        else {
            throw RequestError(
                .unprocessableContent, title: "Changes not found",
                message: "The history has changes 1 to \(last), not “\(from)”\(to.isEmpty ? "" : " to “\(to)”").",
                remedy: "Enter change numbers from the history.")
        }
        return first...end
    }
}

struct NewWebhookRequest: Hashable, Sendable {
    private let url: String
    private let name: String
    private let filters: String
    private let template: String
    private let allowsPrivate: Bool

    init(_ request: Request) async throws {
        let fields = try await FormFields(request, upTo: FormFields.maximumBytes)
        func text(_ field: NewWebhook.Field) -> String {
            (fields[field.rawValue] ?? "").trimmingCharacters(in: .whitespacesAndNewlines)
        }
        (url, name, filters, template) = (text(.url), text(.name), text(.filters), text(.template))
        allowsPrivate = text(.allowsPrivate) == "yes"
    }

    func fulfil(by sender: WebhookSender) async throws -> CreatedWebhook {
        let new = try NewWebhook(
            url: url, name: name, filters: filters, template: template,
            allowsPrivate: allowsPrivate && sender.allowsPrivateOnPage)
        let (webhook, caution) = try await sender.add(new)
        return CreatedWebhook(webhook, caution: caution)
    }

    func form(_ error: KeptFileError, mayAllowPrivate: Bool, file: String?) -> WebhookForm {
        let options = [("name", name), ("template", template == "generic" ? "" : template)].filter { !$0.1.isEmpty }
        let lines = filters.split(whereSeparator: \.isNewline).map { ("filter", String($0)) }
        let command = file.flatMap { file in
            FlagboardLine(command: "webhook add", arguments: [file, url], options: options + lines).text
        }
        return WebhookForm(
            url: url, name: name, filters: filters, template: template, allowsPrivate: allowsPrivate,
            mayAllowPrivate: mayAllowPrivate, command: command.map { "\($0) --allow-private" }, error: error)
    }
}
