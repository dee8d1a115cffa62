import FeatureFlags
import FlagChanges
import FlagHistory
import HTTPTypes
import Hummingbird
import Synchronization

/// Previews: the dashboard keeps the request, and shows its changes at an address of their own.
extension Dashboard {
    func show(_ request: some PreviewRequest, _ context: DashboardContext) throws -> Response {
        let id = previewRequests.add(request, of: try context.author(.form).name)
        return Response(status: .seeOther, headers: [.location: PageLink.preview(id)])
    }

    func show(
        _ request: some PreviewRequest, refused status: HTTPResponse.Status, _ context: DashboardContext
    ) async throws -> Response {
        let id = previewRequests.add(request, of: try context.author(.form).name)
        return try await respond(try await proposal(of: request, keptAs: id, context), status, context)
    }

    func keptRequest(_ id: String, _ context: DashboardContext) throws(SignInError) -> (any PreviewRequest)? {
        previewRequests.find(id, of: try context.author(.form).name)
    }

    func previewPage(_ request: Request, _ context: DashboardContext) async throws -> Response {
        let id = try FormFields(request.uri.query ?? "")["preview"]
        guard let id, let asked = try keptRequest(id, context) else {
            throw RequestError(
                .notFound, title: "Preview not found",
                message: "This preview has expired or belongs to someone else. Nothing was changed.",
                remedy: "Go back and preview again.")
        }
        return try await respond(try await proposal(of: asked, keptAs: id, context), .ok, context)
    }

    /// Computes the changes of a request from the current flags; with none, the proposal's notes say why.
    func proposal(
        of request: any PreviewRequest, keptAs id: String, _ context: DashboardContext
    ) async throws -> BatchProposal {
        let version = try await service.shownFlags().version
        var proposal = try await request.proposal(in: self, context)
        proposal.request = id
        proposal.asOf = version
        proposal.deed = request.deed
        if let back = request.back(keptAs: id) { proposal.back = back }
        return proposal
    }

    private func respond(
        _ proposal: BatchProposal, _ status: HTTPResponse.Status, _ context: DashboardContext
    ) async throws -> Response {
        let previews = try await previews(of: proposal, context)
        return try respond(try await page(proposal, previews, context, isRefused: status != .ok), status: status)
    }

    func page(
        _ proposal: BatchProposal, _ previews: [ChangePreview], _ context: DashboardContext, isRefused: Bool = false
    ) async throws -> BatchPage {
        let view = view(of: try await service.overview(), context)
        let person = try context.author(.form).name
        return try BatchPage(
            frame: frame(view), proposal: proposal, previews: previews, view: view, isRefused: isRefused
        ) { proposalSeal.text(of: $0, from: proposal.origin, for: person) }
    }

    func previews(of proposal: BatchProposal, _ context: DashboardContext) async throws -> [ChangePreview] {
        try await service.preview(ChangeRequest(proposal.changes, by: try context.author(proposal.origin)))
    }
}

/// The newest requests of each person, in memory.
///
/// A forgotten request doesn't break its page, whose form holds the changes.
final class PreviewRequests: Sendable {
    private struct Kept {
        let id: String
        let person: String
        let request: any PreviewRequest
    }

    private let maximumForOne: Int
    private let maximumBytes: Int
    private let kept = Mutex<[Kept]>([])

    init(maximumForOne: Int = 16, maximumBytes: Int = 32 * 1024 * 1024) {
        self.maximumForOne = maximumForOne
        self.maximumBytes = maximumBytes
    }

    /// Returns an unguessable ID.
    func add(_ request: any PreviewRequest, of person: String) -> String {
        let id = AccessSecret.random()
        kept.withLock { kept in
            kept.append(Kept(id: id, person: person, request: request))
            if kept.count(where: { $0.person == person }) > maximumForOne {
                kept.firstIndex { $0.person == person }.map { _ = kept.remove(at: $0) }
            }
            // The newest always stays, since its preview is about to be shown.
            var size = kept.reduce(0) { $0 + $1.request.size }
            while size > maximumBytes, kept.count > 1 { size -= kept.removeFirst().request.size }
        }
        return id
    }

    func find(_ id: String, of person: String) -> (any PreviewRequest)? {
        kept.withLock { $0.first { $0.id == id && $0.person == person }?.request }
    }
}

/// A request for a preview.
///
/// Its changes are computed each time they are shown, from the current flags.
protocol PreviewRequest: Sendable {
    /// Approximate, in bytes.
    var size: Int { get }
    var deed: BatchDeed { get }
    /// Returns the page that edits the request; `nil` to use the proposal's.
    func back(keptAs id: String) -> String?
    /// Without changes, the notes say why.
    func proposal(in dashboard: Dashboard, _ context: DashboardContext) async throws -> BatchProposal
}

extension PreviewRequest {
    var deed: BatchDeed { .change }
    func back(keptAs id: String) -> String? { nil }
}

extension Dashboard {
    var previewRequests: PreviewRequests { states.value { PreviewRequests() } }
}
