import FeatureFlags
import FlagChanges
import FlagHistory
import HTTPTypes
import Hummingbird

/// Flags with values side by side.
protocol MatrixSource: Sendable {
    associatedtype Page: PageModel

    /// The title of a preview that has nothing to preview.
    static var previewTitle: String { get }
    static var deed: BatchDeed { get }
    var view: CatalogueView { get }
    var href: String { get }

    init(_ query: [String: String], in dashboard: Dashboard, _ context: DashboardContext) async throws

    mutating func tellUnknown(in query: [String: String])
    func page(_ frame: PageFrame, refused: RefusedChoice?) throws -> Page
    func proposal(_ form: ChoiceForm) throws -> BatchProposal
}

extension MatrixSource {
    static var deed: BatchDeed { .change }
}

struct RefusedChoice: Sendable {
    let problem: String
    let form: ChoiceForm

    func holds(_ entry: FlagEntry) -> Bool { form.keys.contains(entry.key) }
}

extension Dashboard {
    static func matrixPage<Source: MatrixSource>(of type: Source.Type) -> Route.Handler {
        { dashboard in
            { request, context in
                let query = try FormFields(request.uri.query ?? "").values
                var source = try await Source(query, in: dashboard, context)
                source.tellUnknown(in: query)
                return try dashboard.respond(try source.page(dashboard.frame(source.view), refused: nil))
            }
        }
    }

    /// Without changes to preview, shows the page again.
    static func matrixChange<Source: MatrixSource>(of type: Source.Type) -> Route.Handler {
        { dashboard in
            { request, context in
                let form = try await ChoiceForm(request)
                let source = try await Source(form.fields.values, in: dashboard, context)
                do {
                    _ = try source.proposal(form)
                } catch let refusal as FormError<Never> {
                    let page = try source.page(
                        dashboard.frame(source.view.asked(for: source.href, by: request)),
                        refused: RefusedChoice(problem: refusal.text, form: form))
                    return try dashboard.respond(page, status: refusal.status)
                }
                return try dashboard.show(MatrixPreview<Source>(form: form), context)
            }
        }
    }
}

private struct MatrixPreview<Source: MatrixSource>: PreviewRequest {
    let form: ChoiceForm

    var size: Int { form.keys.reduce(0) { $0 + $1.text.utf8.count } }
    var deed: BatchDeed { Source.deed }

    func proposal(in dashboard: Dashboard, _ context: DashboardContext) async throws -> BatchProposal {
        let source = try await Source(form.fields.values, in: dashboard, context)
        do {
            return try source.proposal(form)
        } catch let refusal as FormError<Never> {
            return BatchProposal(
                title: Source.previewTitle, changes: [], origin: .form, back: source.href, notes: [refusal.text])
        }
    }
}
