import FlagChanges
import FlagHistory
import HTTPTypes
import Hummingbird

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
