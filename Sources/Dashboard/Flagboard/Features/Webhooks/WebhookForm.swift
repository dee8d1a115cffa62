import FlagChanges
import FlagWebhooks

/// Keeps refused input.
struct WebhookForm: Hashable, PagePart {
    let url: String
    let name: String
    let filters: String
    let templates: [ChoiceOption]
    let allowsPrivate: Bool
    /// Offers private addresses.
    let mayAllowPrivate: Bool
    let filterForms: String
    let problem: String?
    let urlProblem: String?
    let nameProblem: String?
    let filtersProblem: String?
    let templateProblem: String?
    /// Adds the webhook at a private address; `nil` unless that was refused here.
    let command: String?

    init(
        url: String = "", name: String = "", filters: String = "", template: String = "generic",
        allowsPrivate: Bool = false, mayAllowPrivate: Bool, command: String? = nil, error: KeptFileError? = nil
    ) {
        (self.url, self.name, self.filters) = (url, name, filters)
        templates = Webhook.Template.allCases.map { known in
            ChoiceOption(value: known.rawValue, label: known.label, isSelected: known.rawValue == template)
        }
        (self.allowsPrivate, self.mayAllowPrivate) = (allowsPrivate, mayAllowPrivate)
        filterForms = WebhookFilter.forms
        let field = error?.webhookField
        func problem(_ wanted: NewWebhook.Field) -> String? { field == wanted ? error?.description : nil }
        self.problem = error.map { error in
            field.map { "Correct “\($0.label)” below." } ?? error.description
        }
        let isPrivate = field == .allowsPrivate
        let privacy =
            mayAllowPrivate
            ? "Select “Allow private addresses” to send messages there."
            : "Webhooks added on this page can only reach public addresses."
        urlProblem = isPrivate ? problem(.allowsPrivate).map { "\($0.asSentence) \(privacy)" } : problem(.url)
        nameProblem = problem(.name)
        filtersProblem = problem(.filters)
        templateProblem = problem(.template)
        self.command = isPrivate && !mayAllowPrivate ? command : nil
    }
}

extension Webhook.Template {
    var label: String {
        switch self {
        case .generic: "JSON"
        case .slack: "Slack message"
        }
    }
}

extension NewWebhook.Field {
    /// The field's label in the form.
    fileprivate var label: String {
        switch self {
        case .url, .allowsPrivate: "URL"
        case .name: "Name"
        case .filters: "Filters"
        case .template: "Format"
        }
    }
}

/// A webhook just added; its secret is shown only once.
struct CreatedWebhook: Hashable, PagePart {
    let name: String
    let secret: String
    /// For example that the host can't be found now.
    let caution: String?

    init(_ webhook: Webhook, caution: String?) {
        name = webhook.name
        secret = webhook.secrets[0].secret.text
        self.caution = caution.map { "\($0.uppercasedFirst.asSentence) Flagboard looks it up again for each delivery." }
    }
}
