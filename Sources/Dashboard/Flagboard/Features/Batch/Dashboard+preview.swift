import FeatureFlags
import FlagChanges
import FlagHistory
import HTTPTypes
import Hummingbird
import Synchronization

/// What changes would do, before they are made: the dashboard keeps the request, and shows it at an address of
/// its own with ``show(_:_:)``.
extension Dashboard {
    /// Sends a browser to the page that shows what a person asks for; it can be loaded again, and gone back to.
    func show(_ request: some PreviewRequest, _ context: DashboardContext) throws -> Response {
        let id = previewRequests.add(request, of: try context.author(.form).name)
        return Response(status: .seeOther, headers: [.location: PageLink.preview(id)])
    }

    /// The page that shows what a person asked for and was refused, as an answer to that.
    func show(
        _ request: some PreviewRequest, refused status: HTTPResponse.Status, _ context: DashboardContext
    ) async throws -> Response {
        let id = previewRequests.add(request, of: try context.author(.form).name)
        return try await respond(try await proposal(of: request, keptAs: id, context), status, context)
    }

    /// What the person asked for that is kept as `id`; `nil` where it isn't kept, or is another person's.
    func keptRequest(_ id: String, _ context: DashboardContext) throws(SignInError) -> (any PreviewRequest)? {
        previewRequests.find(id, of: try context.author(.form).name)
    }

    /// What changes would do as things are now, with the form that makes them; nothing is changed.
    func previewPage(_ request: Request, _ context: DashboardContext) async throws -> Response {
        let id = try FormFields(request.uri.query ?? "")["preview"]
        guard let id, let asked = try keptRequest(id, context) else {
            throw RequestError(
                .notFound, title: "Preview not found",
                message: "This preview has expired, or was another person’s. Nothing was changed.",
                remedy: "Go back to where you chose the changes, and preview them again.")
        }
        return try await respond(try await proposal(of: asked, keptAs: id, context), .ok, context)
    }

    /// What a person asked for, with its changes worked out from the flags as they are; or with none, and why, if there is
    /// nothing to do.
    func proposal(
        of request: any PreviewRequest, keptAs id: String, _ context: DashboardContext
    ) async throws -> BatchProposal {
        let version = try await service.shownFlags().version
        var proposal: BatchProposal
        do {
            proposal = try await request.proposal(in: self, context)
        } catch let empty as EmptyPreviewError {
            proposal = BatchProposal(
                title: empty.title, changes: [], origin: .form, back: empty.back, notes: empty.notes)
        }
        proposal.request = id
        proposal.asOf = version
        if let back = request.back(keptAs: id) { proposal.back = back }
        return proposal
    }

    /// The page of changes, each with what it would do now.
    private func respond(
        _ proposal: BatchProposal, _ status: HTTPResponse.Status, _ context: DashboardContext
    ) async throws -> Response {
        let previews = try await previews(of: proposal, context)
        return try respond(try await page(proposal, previews, context, isRefused: status != .ok), status: status)
    }

    /// The page of changes, each with what it would do.
    func page(
        _ proposal: BatchProposal, _ previews: [ChangePreview], _ context: DashboardContext, isRefused: Bool = false
    ) async throws -> BatchPage {
        let view = view(of: try await service.overview(), context)
        let person = try context.author(.form).name
        return try BatchPage(
            frame: frame(view), proposal: proposal, previews: previews, view: view, isRefused: isRefused
        ) { proposalSeal.text(of: $0, from: proposal.origin, for: person) }
    }

    /// What each of the changes would do now.
    func previews(of proposal: BatchProposal, _ context: DashboardContext) async throws -> [ChangePreview] {
        try await service.preview(ChangeRequest(proposal.changes, by: try context.author(proposal.origin)))
    }
}

/// The requests for previews that can be shown again: by their address, to whom they are of.
///
/// They are kept while the dashboard runs, the newest of each person. One that is not kept any longer is asked for anew; its
/// page goes on to work, as its form holds the changes.
final class PreviewRequests: Sendable {
    private struct Kept {
        let id: String
        let person: String
        let request: any PreviewRequest
    }

    private let maximumForOne: Int
    private let maximumBytes: Int
    private let kept = Mutex<[Kept]>([])

    /// Keeps none at first.
    init(maximumForOne: Int = 16, maximumBytes: Int = 32 * 1024 * 1024) {
        self.maximumForOne = maximumForOne
        self.maximumBytes = maximumBytes
    }

    /// Keeps a request.
    ///
    /// - Returns: What to ask for it with; it can't be guessed.
    func add(_ request: any PreviewRequest, of person: String) -> String {
        let id = AccessSecret.random()
        kept.withLock { kept in
            kept.append(Kept(id: id, person: person, request: request))
            if kept.count(where: { $0.person == person }) > maximumForOne {
                kept.firstIndex { $0.person == person }.map { _ = kept.remove(at: $0) }
            }
            // The newest is kept in any case: its preview is about to be shown.
            var size = kept.reduce(0) { $0 + $1.request.size }
            while size > maximumBytes, kept.count > 1 { size -= kept.removeFirst().request.size }
        }
        return id
    }

    /// The request of this name, where it is this person's; `nil` where there is none.
    func find(_ id: String, of person: String) -> (any PreviewRequest)? {
        kept.withLock { $0.first { $0.id == id && $0.person == person }?.request }
    }
}

/// Changes that a person wants to look at before they are made, as they were asked for.
///
/// The changes are worked out each time that they are shown, so that they are those of that moment.
protocol PreviewRequest: Sendable {
    /// About how many bytes it takes to remember.
    var size: Int { get }
    /// Where the request can be changed, for the one that is kept by this name; `nil` where the changes say so.
    func back(keptAs id: String) -> String?
    /// The changes, from the flags as they are now.
    func proposal(in dashboard: Dashboard, _ context: DashboardContext) async throws -> BatchProposal
}

extension PreviewRequest {
    func back(keptAs id: String) -> String? { nil }
}

/// Why there is nothing to look at.
struct EmptyPreviewError: Error, Hashable {
    /// What was asked for, as a heading.
    let title: String
    /// What is wrong or why there is nothing to do, in sentences.
    let notes: [String]
    /// Where it was asked for: an address within the dashboard.
    let back: String
}

extension Dashboard {
    var previewRequests: PreviewRequests { states.value { PreviewRequests() } }
}
