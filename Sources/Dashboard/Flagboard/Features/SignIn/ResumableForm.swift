import FeatureFlags
import HTTPTypes
import Hummingbird

/// A form sent without access, to send again after signing in.
///
/// It travels through the sign-in page, so the server keeps nothing.
struct ResumableForm: Sendable {
    /// In bytes, encoded; of a larger form, the page only shows what was typed.
    static let maximumBytes = 256 * 1024

    /// Enough for a long list of selected flags.
    private static let maximumFields = 2000

    let sent: SentForm
    /// URL-encoded.
    let body: String

    var address: String { sent.address }
    var fields: [(name: String, value: String)] { sent.fields }

    /// `nil` if the address takes no form of the dashboard's pages.
    init?(to address: String, body: String) {
        let pairs = Result { () throws(UnreadableFormError) in
            try FormFields.pairs(body.utf8, upTo: Self.maximumFields)
        }
        guard body.utf8.count <= Self.maximumBytes, LocalPath.checked(address) == address,
            Route.at(SentForm.path(of: address))?.resuming != nil, case .success(let fields) = pairs, !fields.isEmpty
        else { return nil }
        sent = SentForm(address: address, fields: fields)
        self.body = body
    }

    /// `nil` if the form has a file.
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
        .contentTooLarge, title: "Too large", message: "The form is too large to keep while you sign in.",
        remedy: "Sign in, then go back and submit it again.")

    /// The form's purpose in a sentence, from nothing but what the person sent.
    var wish: String { Route.at(SentForm.path(of: address))?.resuming?(sent) ?? "" }

    var typed: [TypedValue] {
        let values = Dictionary(fields, uniquingKeysWith: { first, _ in first })
        return TypedValue.all(FormFields(values), sentTo: SentForm.path(of: address))
    }
}

/// Sends a form again after signing in.
struct ResumableFormPage: PageModel {
    static let template = "resumable-form"

    let action: String
    let wish: String
    let fields: [HiddenField]
    let typed: [TypedValue]
    /// The page that the form was on.
    let href: String
    let banner: EnvironmentBanner?
    /// `nil` for the system's.
    let theme: String?

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
