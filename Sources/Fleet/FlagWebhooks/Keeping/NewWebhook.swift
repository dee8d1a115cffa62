import DurableFiles
import FlagChanges
import Foundation

/// A webhook to add, from a command or a form.
package struct NewWebhook: Hashable, Sendable {
    /// The part of a webhook that a refusal is about.
    package enum Field: String, Sendable {
        case url, name, filters, template
        /// The host is private, and that wasn't allowed.
        case allowsPrivate
    }

    static let mostFilters = 50

    package let url: WebhookURL
    /// `nil` uses the host.
    package let name: String?
    package let filters: [WebhookFilter]
    package let template: Webhook.Template
    package let allowsPrivate: Bool

    package init(
        url: WebhookURL, name: String?, filters: [WebhookFilter], template: Webhook.Template, allowsPrivate: Bool
    ) {
        (self.url, self.name, self.filters) = (url, name, filters)
        (self.template, self.allowsPrivate) = (template, allowsPrivate)
    }

    /// Parses the text of a form, with a filter on each line.
    package init(
        url: String, name: String, filters: String, template: String, allowsPrivate: Bool
    ) throws(KeptFileError) {
        do throws(PlainError) {
            self.url = try WebhookURL(url)
        } catch {
            throw .refused("This URL can't be used: \(error.description).", .url)
        }
        self.name = name.isEmpty ? nil : name
        var parsed: [WebhookFilter] = []
        for line in filters.split(whereSeparator: \.isNewline) {
            let text = line.trimmingCharacters(in: .whitespaces)
            guard !text.isEmpty else { continue }
            do throws(PlainError) {
                parsed.append(try WebhookFilter(text))
            } catch {
                throw .refused("“\(text)” is not a valid filter: \(error.description).", .filters)
            }
        }
        self.filters = parsed
        guard let known = Webhook.Template(rawValue: template) else {
            let names = Webhook.Template.allCases.map(\.rawValue).joined(separator: " or ")
            throw .refused("Choose a format: \(names).", .template)
        }
        self.template = known
        self.allowsPrivate = allowsPrivate
    }
}

extension KeptFileError {
    static func refused(_ problem: String, _ field: NewWebhook.Field) -> KeptFileError {
        .refused(problem, field: field.rawValue)
    }

    /// The part of a new webhook at fault, if a single one is.
    package var webhookField: NewWebhook.Field? { field.flatMap(NewWebhook.Field.init) }
}
