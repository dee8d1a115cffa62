import FeatureFlags
import HTTPTypes
import Hummingbird

/// A form that a person sent who was not let in, for them to send again once they are.
///
/// It travels through the page to sign in with; nothing of it is kept here.
struct ResumableForm: Sendable {
    /// How large its fields may be, in bytes, as they were sent; of a larger form, the page shows what was typed.
    static let maximumBytes = 256 * 1024

    /// How many fields it may have: a long list of flags that are ticked, and a few more.
    private static let maximumFields = 2000

    /// What was sent.
    let sent: SentForm
    /// Its fields, URL-encoded.
    let body: String

    var address: String { sent.address }
    var fields: [(name: String, value: String)] { sent.fields }

    /// Takes up what was sent to an address; `nil` where that is no form of the dashboard's pages.
    init?(to address: String, body: String) {
        let pairs = Result { () throws(FormFieldsError) in
            try FormFields.pairs(body.utf8, upTo: Self.maximumFields)
        }
        guard body.utf8.count <= Self.maximumBytes, LocalPath.checked(address) == address,
            Route.at(SentForm.path(of: address))?.resuming != nil, case .success(let fields) = pairs, !fields.isEmpty
        else { return nil }
        sent = SentForm(address: address, fields: fields)
        self.body = body
    }

    /// Takes up the form that a request sends, unless a file comes with it.
    init?(_ request: Request) async {
        guard request.method == .post, case .success(let body?) = await Self.body(of: request) else { return nil }
        self.init(to: request.uri.string, body: body)
    }

    private static func body(of request: Request) async -> Result<String?, any Error> {
        do {
            if MultipartForm.isSent(with: request) {
                let form = try await MultipartForm.sent(with: request, file: "file", upTo: maximumBytes, else: tooLarge)
                guard let form, form.file.map(\.content.isEmpty) ?? true else { return .success(nil) }
                return .success(
                    form.values.sorted { $0.key < $1.key }
                        .map { "\(PageLink.encode($0.key))=\(PageLink.encode($0.value))" }.joined(separator: "&"))
            }
            let type = request.headers[.contentType]?.lowercased() ?? ""
            guard type.hasPrefix("application/x-www-form-urlencoded") else { return .success(nil) }
            return .success(String(buffer: try await request.body.collect(upTo: maximumBytes)))
        } catch {
            return .failure(error)
        }
    }

    private static let tooLarge = RequestError(
        .contentTooLarge, title: "Too large", message: "The form is too large to be kept.", remedy: "Send it again.")

    /// What it asks for, as a sentence, from nothing but what the person sent.
    var wish: String { Route.at(SentForm.path(of: address))?.resuming?(sent) ?? "" }

    /// What a person typed into it.
    var typed: [TypedValue] {
        let values = Dictionary(fields, uniquingKeysWith: { first, _ in first })
        return TypedValue.all(FormFields(values), sentTo: SentForm.path(of: address))
    }
}

/// The page after signing in, where a form waits to be sent again.
struct ResumableFormPage: PageModel {
    static let template = "resumable-form"

    let action: String
    /// What the form asks for, in a sentence.
    let wish: String
    /// The form's fields.
    let fields: [HiddenField]
    let typed: [TypedValue]
    /// The page that the form was on.
    let href: String
    /// What tells this dashboard from others, at the top.
    let banner: EnvironmentBanner?
    /// The colours that the viewer has chosen; `nil` for those of the system.
    let theme: String?

    /// Makes the page.
    init(_ form: ResumableForm, banner: EnvironmentBanner?, settings: ViewerSettings) {
        action = form.address
        wish = form.wish
        href =
            form.fields.first { $0.name == "back" }.map { LocalPath.checked($0.value) }
            ?? Route.page(ofForm: form.address)
        fields = form.fields.map { HiddenField(name: $0.name, value: $0.value) }
        typed = form.typed
        self.banner = banner
        theme = settings.chosenTheme
    }
}
