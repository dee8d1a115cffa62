import HTTPTypes
import Hummingbird

/// A form that somebody sent who was not let in, for them to send again once they are.
///
/// It travels through the page to sign in with; nothing of it is kept here.
struct UnsentForm: Hashable, Sendable {
    /// How large its fields may be, in bytes, as they were sent; of a larger form, the page shows what was typed.
    static let maximumBytes = 256 * 1024

    /// The address that it was sent to, within the dashboard.
    let address: String
    /// Its fields, URL-encoded as they were sent.
    let body: String
    /// Its fields, each once.
    let fields: FormFields

    /// Takes up what was sent to an address; `nil` where that is no form of which something would be lost.
    init?(to address: String, body: String) {
        guard body.utf8.count <= Self.maximumBytes, LocalPath.checked(address) == address,
            case .success(let fields) = Result(catching: { () throws(FormFieldsError) in try FormFields(body) })
        else { return nil }
        self.address = address
        self.body = body
        self.fields = fields
        if typed.isEmpty { return nil }
    }

    /// Takes up the form that a request sends.
    ///
    /// - Parameter request: The request, whose body has been collected.
    init?(_ request: Request) async {
        let type = request.headers[.contentType]?.lowercased() ?? ""
        guard request.method == .post, type.hasPrefix("application/x-www-form-urlencoded"),
            case .success(let body) = await Self.body(of: request)
        else { return nil }
        self.init(to: request.uri.string, body: body)
    }

    private static func body(of request: Request) async -> Result<String, any Error> {
        do {
            return .success(String(buffer: try await request.body.collect(upTo: maximumBytes)))
        } catch {
            return .failure(error)
        }
    }

    /// What a person typed into it.
    var typed: [TypedValue] { TypedValue.all(fields, sentTo: String(address.prefix { $0 != "?" })) }
}

/// The page after signing in, where a form waits to be sent again.
struct UnsentFormPage: PageModel {
    static let template = "unsent"

    let action: String
    /// The form's fields.
    let fields: [FlagListPage.HiddenField]
    let typed: [TypedValue]
    /// The page that the form was on.
    let href: String
    /// What tells this dashboard from others, at the top.
    let banner: EnvironmentBanner?

    /// Makes the page.
    ///
    /// - Parameters:
    ///   - form: The form.
    ///   - banner: What tells this dashboard from others.
    init(_ form: UnsentForm, banner: EnvironmentBanner?) {
        action = form.address
        href = form.address
        fields = form.fields.values.sorted { $0.key < $1.key }
            .map { FlagListPage.HiddenField(name: $0.key, value: $0.value) }
        typed = form.typed
        self.banner = banner
    }
}
