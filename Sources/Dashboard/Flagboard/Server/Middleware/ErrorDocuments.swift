import FlagChanges
import HTTPTypes
import Hummingbird
import NIOHTTP1

/// Answers errors of API routes with problem documents (RFC 9457); without pages, those of all routes.
struct ErrorDocuments: DashboardMiddleware {
    let dashboard: Dashboard

    func handle(_ request: Request, context: DashboardContext, next: Next) async throws -> Response {
        guard dashboard.pages == nil || Route.isForPrograms(request.uri.path) else {
            return try await next(request, context)
        }
        do {
            return try await next(request, context)
        } catch let refusal as AppRefusal {
            throw refusal
        } catch let fault as HTTPParserError {
            // The request is incomplete and its connection ends.
            throw fault
        } catch let refusal as SignInError {
            throw refusal
        } catch let refusal as ChangeError {
            return try respond(ProblemDocument(await suggesting(refusal)))
        } catch let refusal as BatchError {
            var changes = refusal.changes
            // Only one flag: a batch may name thousands of missing ones.
            if let place = changes.firstIndex(where: { $0.refusal?.reason == .unknown }) {
                changes[place] = await suggesting(changes[place])
            }
            return try respond(ProblemDocument(await suggesting(refusal.cause), changes: changes))
        } catch {
            let text = dashboard.text(for: error, request, context)
            let document = ProblemDocument(
                code: ProblemCode(error, HTTPResponse.Status(code: text.status)), title: text.heading,
                status: text.status, detail: text.message.withoutIsolates, remedy: text.remedy.withoutIsolates,
                key: nil, problems: nil, conflict: nil, changes: nil)
            return try respond(document, (error as? RequestError)?.headers ?? [:])
        }
    }

    private func suggesting(_ refusal: ChangeError) async -> ChangeError {
        guard refusal.reason == .unknown, let key = refusal.key else { return refusal }
        do {
            let catalogue = try await dashboard.service.shownFlags().catalogue
            guard catalogue[key] == nil, let likely = catalogue.likely(key) else { return refusal }
            return refusal.suggesting(likely)
        } catch {
            return refusal
        }
    }

    private func suggesting(_ preview: ChangePreview) async -> ChangePreview {
        guard let refusal = preview.refusal else { return preview }
        return ChangePreview(
            change: preview.change, provider: preview.provider, before: preview.before, after: preview.after,
            refusal: await suggesting(refusal), type: preview.type)
    }

    private func respond(_ document: ProblemDocument, _ headers: HTTPFields = [:]) throws -> Response {
        dashboard.respond(
            json: document, status: HTTPResponse.Status(code: document.status),
            revision: document.conflict.map { FlagRevision(rawValue: $0.revision) }, headers: headers)
    }
}
